#include "corrections.h"

#include <sqlite3.h>
#include <stdbool.h>
#include <string.h>

/// The longest row that is read, as the command has it: far longer than any that is written.
static const int longest_row = 1 << 20;

/// A correction's text; NULL also for one that has a zero byte inside, which none that is written has.
static const char *text(sqlite3_stmt *rows, int column) {
  const char *text = (const char *)sqlite3_column_text(rows, column);
  return text != NULL && strlen(text) == (size_t)sqlite3_column_bytes(rows, column) ? text : NULL;
}

/// Whether the table of corrections is the one that aisle makes, and no view or trigger stands in its place.
static bool is_ours(sqlite3 *database, const char *statement) {
  sqlite3_stmt *found = NULL;
  bool is_ours = false;
  const char *question = "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'correction' AND sql = ?";
  if (sqlite3_prepare_v2(database, question, -1, &found, NULL) == SQLITE_OK &&
      sqlite3_bind_text(found, 1, statement, -1, SQLITE_STATIC) == SQLITE_OK)
    is_ours = sqlite3_step(found) == SQLITE_ROW && sqlite3_column_int(found, 0) == 1;
  sqlite3_finalize(found);
  return is_ours;
}

static const char *read_rows(
    sqlite3 *database, const char *statement, void (*take)(void *, const aisle_correction *), void *context) {
  sqlite3_limit(database, SQLITE_LIMIT_LENGTH, longest_row);
  if (sqlite3_exec(database, "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON", NULL, NULL, NULL) != SQLITE_OK)
    return "the corrections are damaged";
  if (!is_ours(database, statement)) return "it lacks aisle's table of corrections";
  sqlite3_stmt *rows = NULL;
  const char *question =
      "SELECT id, time, store, key, item, section, shelf, proposer, model FROM correction ORDER BY id";
  int code = sqlite3_prepare_v2(database, question, -1, &rows, NULL);
  while (code == SQLITE_OK && (code = sqlite3_step(rows)) == SQLITE_ROW) {
    aisle_correction row = {
        sqlite3_column_int64(rows, 0), sqlite3_column_int64(rows, 1), text(rows, 2), text(rows, 3), text(rows, 4),
        text(rows, 5), text(rows, 6), text(rows, 7), text(rows, 8)};
    code = row.store && row.key && row.item && row.section && row.proposer ? SQLITE_OK : SQLITE_CORRUPT;
    if (code == SQLITE_OK) take(context, &row);
  }
  sqlite3_finalize(rows);
  return code == SQLITE_DONE ? NULL : "the corrections are damaged";
}

const char *aisle_read_corrections(
    void *image, int64_t size, const char *statement, void (*take)(void *context, const aisle_correction *row), void *context) {
  sqlite3 *database = NULL;
  const char *problem = "out of memory";
  if (sqlite3_open_v2(":memory:", &database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) == SQLITE_OK &&
      sqlite3_deserialize(database, "main", image, size, size, SQLITE_DESERIALIZE_READONLY) == SQLITE_OK)
    problem = read_rows(database, statement, take, context);
  sqlite3_close(database);
  return problem;
}
