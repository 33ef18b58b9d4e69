/* aisle: which section of a store a grocery item belongs to.
 *
 * A store is opened once and asked from any thread. Nothing here starts a thread, writes to stdout or stderr, or writes a file, and nothing
 * that the caller gets must be freed: texts that a function returns belong to the library or to the store and live as long as it does, and
 * everything else is written into the caller's memory. docs/c.md shows how it is used.
 *
 * Texts that go in are UTF-8. Items may be any bytes; invalid UTF-8 is treated as not a word.
 *
 * Threads: every function may be called from any thread at any time, even on the same store, except that `aisle_close` must be the last
 * call about its store. After fork the child may go on with the stores that it has, whatever the parent's threads were doing.
 */
#ifndef AISLE_H
#define AISLE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this interface. It grows when something changes that callers rely on; what is only added leaves it as it is, and the
 * structs say their size, so that older callers go on working. */
#define AISLE_ABI_VERSION 1

/* The version of the interface that the library has: compare it with AISLE_ABI_VERSION after loading the library by hand. */
int32_t aisle_abi_version(void);

/* The version of aisle, e.g. "0.1.0". It belongs to the library. */
const char *aisle_version(void);

/* The result of a call. */
enum {
  AISLE_OK = 0,
  /* A required pointer is NULL, or a struct has a size that no version knows. */
  AISLE_INVALID_ARGUMENT = 1,
  /* There is no built-in store of that id. */
  AISLE_UNKNOWN_STORE = 2,
  /* A file cannot be read, is damaged, is another program's, or was written by another version. */
  AISLE_BAD_FILE = 3,
  /* Something that this version does not do, or a language that the store was not packed for. */
  AISLE_UNSUPPORTED = 4,
  /* Offsets that are negative, descend, or lead out of the data. */
  AISLE_BAD_ITEMS = 5,
  /* The caller's buffer is too small. */
  AISLE_TOO_SMALL = 6
};

/* What went wrong, in the caller's memory. */
typedef struct aisle_error {
  /* One of the codes above; AISLE_OK where nothing did. */
  int32_t code;
  /* What is wrong and what to do, in one line of UTF-8 that ends in a zero byte; cut where it is longer. */
  char message[1020];
} aisle_error;

/* An open store. */
typedef struct aisle_store aisle_store;

/* Which store to open. Set `size` to sizeof(aisle_options), and all that is not needed to NULL. The texts are not kept. */
typedef struct aisle_options {
  size_t size;
  /* The id of a built-in store, e.g. "walmart"; NULL for "kroger", or for the store of `file`. */
  const char *store;
  /* A file that `aisle stores pack` wrote; NULL for a built-in store. */
  const char *file;
  /* A file of corrections, as `aisle --db` uses it. It is read when the store is opened, and neither locked nor written; where there is
   * none, there are no corrections. NULL for none. */
  const char *corrections;
  /* The languages of the items, with commas between them: those that the store was packed for, and "en" for a built-in one. NULL for these. */
  const char *language;
} aisle_options;

/* Opens a store, in a few milliseconds.
 *
 * options: which; NULL for Kroger.
 * store: becomes the store, or NULL where it cannot be opened. It is given back to `aisle_close`.
 * error: becomes what went wrong; may be NULL.
 * Returns a code. */
int32_t aisle_open(const aisle_options *options, aisle_store **store, aisle_error *error);

/* Closes a store: every pointer that came from it is invalid then, and no other call may be using it. NULL does nothing. */
void aisle_close(aisle_store *store);

/* The built-in stores, sorted by id. `aisle_store_id` returns NULL for an index that is not below the count; else the id, which belongs to
 * the library. */
int32_t aisle_store_count(void);
const char *aisle_store_id(int32_t index);

/* The id and the name of an open store: "kroger", "Kroger". They belong to the store; NULL where the store is NULL. */
const char *aisle_id(const aisle_store *store);
const char *aisle_name(const aisle_store *store);

/* The sections of a store, in walking order. Their names are for people; their ids stay the same when sections are added or change places,
 * and are for databases; a color is a hue's name. `aisle_fallback` is the index of the section of items that nothing is known about.
 * Counts and indexes of a store that is NULL are 0 and -1. The texts belong to the store, and are NULL for an index that is not below the
 * count. */
int32_t aisle_section_count(const aisle_store *store);
const char *aisle_section_name(const aisle_store *store, int32_t index);
const char *aisle_section_id(const aisle_store *store, int32_t index);
const char *aisle_section_color(const aisle_store *store, int32_t index);
int32_t aisle_fallback(const aisle_store *store);

/* The shelves of a store: products that stand together, such as "plant-milk". `aisle_shelf_section` is the index of the section that a
 * shelf stands in; -1 for an index that is not below the count. */
int32_t aisle_shelf_count(const aisle_store *store);
const char *aisle_shelf_name(const aisle_store *store, int32_t index);
int32_t aisle_shelf_section(const aisle_store *store, int32_t index);

/* What decides in a store, in the order in which it is asked: "learned" (corrections, where there are any), "keyword", "model", "regex". */
int32_t aisle_strategy_count(const aisle_store *store);
const char *aisle_strategy_id(const aisle_store *store, int32_t index);

/* Where an item belongs. */
typedef struct aisle_answer {
  /* The index of the section; the fallback's where nothing decided. */
  int16_t section;
  /* The index of the strategy that decided; -1 where none did. */
  int16_t strategy;
  /* The index of the shelf; -1 where only the section is known. */
  int32_t shelf;
  /* How likely the section is right, in 0…1; 0 where nothing decided. */
  float confidence;
} aisle_answer;

/* Says where one item belongs, in a microsecond or two.
 *
 * item, length: its bytes; `item` may be NULL where the length is 0.
 * answer: becomes the answer.
 * Returns AISLE_OK, or AISLE_INVALID_ARGUMENT where the store, the answer, or the item of some length is NULL. */
int32_t aisle_categorize_one(const aisle_store *store, const char *item, size_t length, aisle_answer *answer);

/* Many items, in the layout of an Arrow column of strings. Set `size` to sizeof(aisle_items), and exactly one of the offsets. */
typedef struct aisle_items {
  size_t size;
  /* The bytes of all items; may be NULL where there are none. */
  const uint8_t *data;
  /* The number of bytes: no item may end past them. */
  int64_t data_size;
  /* Where the items begin in the data, and last where the last one ends: `offset + count + 1` numbers. Of a column of type string or
   * binary, or of type large_string or large_binary. Both may be NULL where the count is 0. */
  const int32_t *offsets;
  const int64_t *large_offsets;
  /* Bit i, from the lowest of the first byte, says that item i is not null; NULL where none is null. */
  const uint8_t *validity;
  /* How many items to leave out at the beginning, for a slice of a column. It counts in the offsets and in the validity, not in the data
   * and not in the answers. */
  int64_t offset;
  /* How many items there are from there on. */
  int64_t count;
} aisle_items;

/* Where the answers go: an array of `count` elements each, or NULL for what is not wanted. Set `size` to sizeof(aisle_columns). */
typedef struct aisle_columns {
  size_t size;
  /* The indexes of the sections; -1 for an item that is null. */
  int16_t *section;
  /* How likely they are right, in 0…1; 0 for an item that is null. */
  float *confidence;
  /* The indexes of the shelves; -1 where only the section is known, or the item is null. */
  int32_t *shelf;
  /* The indexes of the strategies that decided; -1 where none did, or the item is null. */
  int16_t *strategy;
} aisle_columns;

/* Says where items belong, on the caller's thread: split the items to use several.
 *
 * columns: becomes the answers. If the items are refused, everything from the first bad item on is unspecified.
 * error: becomes what went wrong; may be NULL.
 * Returns a code. */
int32_t aisle_categorize(
    const aisle_store *store, const aisle_items *items, const aisle_columns *columns, aisle_error *error);

/* Says where an item belongs and why, as a JSON object with the fields of the command's `--format jsonl --explain` and some more.
 *
 * item, length: its bytes; `item` may be NULL where the length is 0. At most a mebibyte.
 * buffer, capacity: becomes the JSON, which ends in a zero byte; may be NULL where the capacity is 0.
 * needed: becomes how many bytes it takes, the zero included; may be NULL.
 * error: becomes what went wrong; may be NULL.
 * Returns AISLE_TOO_SMALL, and writes nothing, where the capacity is less than that; or another code. */
int32_t aisle_explain(
    const aisle_store *store, const char *item, size_t length, char *buffer, size_t capacity, size_t *needed,
    aisle_error *error);

#ifdef __cplusplus
}
#endif

#endif
