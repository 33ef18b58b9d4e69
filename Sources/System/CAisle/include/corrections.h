#ifndef AISLE_CORRECTIONS_H
#define AISLE_CORRECTIONS_H

#include <stdint.h>

/// A row of a file of corrections. A text that is not there is NULL; the others end in a zero byte.
typedef struct aisle_correction {
  int64_t id;
  int64_t time;
  const char *store;
  const char *key;
  const char *item;
  const char *section;
  const char *shelf;
  const char *proposer;
  const char *model;
} aisle_correction;

/// Reads the corrections of a database that lies in memory, in the order of their ids. SQLite opens no file, takes no lock, and keeps nothing.
///
/// - database, size: the bytes of the file; they may be changed.
/// - statement: the one that made the table: a table that another one made is not read.
/// - take: is given each row, which is gone when it returns.
/// - Returns NULL, or what is wrong, which belongs to the library.
const char *aisle_read_corrections(
    void *database, int64_t size, const char *statement, void (*take)(void *context, const aisle_correction *row), void *context);

#endif
