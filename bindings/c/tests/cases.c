/* The promises of aisle.h, one function each, against the library: bad input, threads, and forks. cases [FOLDER for files] [seconds of forks] */
#define _GNU_SOURCE
#include "../aisle.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int failures = 0;
static const char *folder = "/tmp";
static double seconds = 2;

#define CHECK(claim)                                                        \
  do {                                                                      \
    if (!(claim)) {                                                         \
      fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #claim);   \
      failures++;                                                           \
    }                                                                       \
  } while (0)

static aisle_store *opened(const char *id) {
  aisle_options options = {sizeof options, id, NULL, NULL, NULL};
  aisle_store *store = NULL;
  aisle_error error;
  if (aisle_open(&options, &store, &error) != AISLE_OK) {
    fprintf(stderr, "%s\n", error.message);
    exit(1);
  }
  return store;
}

static const char *section(const aisle_store *store, const char *item) {
  aisle_answer answer;
  return aisle_categorize_one(store, item, strlen(item), &answer) == AISLE_OK ? aisle_section_name(store, answer.section) : "?";
}

static aisle_items items(const char *data, int64_t size, const int32_t *offsets, int64_t count) {
  aisle_items items;
  memset(&items, 0, sizeof items);
  items.size = sizeof items;
  items.data = (const uint8_t *)data;
  items.data_size = size;
  items.offsets = offsets;
  items.count = count;
  return items;
}

static aisle_columns columns(int16_t *sections) {
  aisle_columns columns = {sizeof columns, sections, NULL, NULL, NULL};
  return columns;
}

static void a_store_answers(void) {
  aisle_store *store = opened("kroger");
  CHECK(strcmp(section(store, "2 lbs chicken thighs"), "Meat & Seafood") == 0);
  CHECK(strcmp(aisle_id(store), "kroger") == 0 && strcmp(aisle_name(store), "Kroger") == 0);
  CHECK(strcmp(aisle_section_name(store, aisle_fallback(store)), "Other") == 0);
  CHECK(aisle_section_count(store) == 12 && aisle_shelf_count(store) > 100);
  CHECK(strcmp(aisle_section_id(store, 0), "produce") == 0 && strcmp(aisle_section_color(store, 0), "emerald") == 0);
  CHECK(aisle_strategy_count(store) == 3 && strcmp(aisle_strategy_id(store, 0), "keyword") == 0);
  aisle_answer answer;
  CHECK(aisle_categorize_one(store, "oat milk", 8, &answer) == AISLE_OK);
  CHECK(answer.confidence > 0.5f && answer.confidence <= 1 && answer.strategy == 0);
  CHECK(strcmp(aisle_shelf_name(store, answer.shelf), "plant-milk") == 0);
  CHECK(aisle_shelf_section(store, answer.shelf) == answer.section);
  CHECK(aisle_categorize_one(store, NULL, 0, &answer) == AISLE_OK);
  CHECK(answer.section == aisle_fallback(store) && answer.strategy == -1 && answer.shelf == -1 && answer.confidence == 0);
  aisle_close(store);
}

static void the_library_says_what_it_is(void) {
  CHECK(aisle_abi_version() == AISLE_ABI_VERSION);
  CHECK(aisle_version() != NULL && strchr(aisle_version(), '.') != NULL);
  CHECK(aisle_store_count() > 5);
  bool isThere = false;
  for (int32_t place = 0; place < aisle_store_count(); place++) isThere = isThere || strcmp(aisle_store_id(place), "walmart") == 0;
  CHECK(isThere);
  CHECK(aisle_store_id(-1) == NULL && aisle_store_id(aisle_store_count()) == NULL && aisle_store_id(INT32_MAX) == NULL);
}

static void nothing_is_asked_of_null(void) {
  aisle_answer answer;
  aisle_error error;
  aisle_items some = items("", 0, NULL, 0);
  aisle_columns none = columns(NULL);
  aisle_close(NULL);
  CHECK(aisle_open(NULL, NULL, NULL) == AISLE_INVALID_ARGUMENT);
  CHECK(aisle_id(NULL) == NULL && aisle_name(NULL) == NULL && aisle_section_name(NULL, 0) == NULL);
  CHECK(aisle_section_id(NULL, 0) == NULL && aisle_section_color(NULL, 0) == NULL && aisle_shelf_name(NULL, 0) == NULL);
  CHECK(aisle_section_count(NULL) == 0 && aisle_shelf_count(NULL) == 0 && aisle_strategy_count(NULL) == 0);
  CHECK(aisle_fallback(NULL) == -1 && aisle_shelf_section(NULL, 0) == -1 && aisle_strategy_id(NULL, 0) == NULL);
  CHECK(aisle_categorize_one(NULL, "a", 1, &answer) == AISLE_INVALID_ARGUMENT);
  CHECK(aisle_categorize(NULL, &some, &none, &error) == AISLE_INVALID_ARGUMENT && strstr(error.message, "store"));
  CHECK(aisle_explain(NULL, "a", 1, NULL, 0, NULL, &error) == AISLE_INVALID_ARGUMENT);
  aisle_store *store = NULL;
  CHECK(aisle_open(NULL, &store, NULL) == AISLE_OK && strcmp(aisle_id(store), "kroger") == 0);
  CHECK(aisle_categorize_one(store, NULL, 1, &answer) == AISLE_INVALID_ARGUMENT);
  CHECK(aisle_categorize_one(store, "a", 1, NULL) == AISLE_INVALID_ARGUMENT);
  CHECK(aisle_categorize(store, NULL, &none, &error) == AISLE_INVALID_ARGUMENT && strstr(error.message, "items"));
  CHECK(aisle_categorize(store, &some, NULL, &error) == AISLE_INVALID_ARGUMENT && strstr(error.message, "columns"));
  CHECK(aisle_explain(store, NULL, 3, NULL, 0, NULL, NULL) == AISLE_INVALID_ARGUMENT);
  CHECK(aisle_explain(store, "a", (size_t)1 << 40, NULL, 0, NULL, &error) == AISLE_INVALID_ARGUMENT);
  CHECK(aisle_section_name(store, -1) == NULL && aisle_section_name(store, 12) == NULL && aisle_shelf_name(store, 1 << 30) == NULL);
  CHECK(aisle_shelf_section(store, -1) == -1 && aisle_shelf_section(store, aisle_shelf_count(store)) == -1);
  aisle_close(store);
}

static int32_t open_error(const char *id, const char *file, const char *language, aisle_error *error) {
  aisle_options options = {sizeof options, id, file, NULL, language};
  aisle_store *store = (aisle_store *)&options;
  int32_t code = aisle_open(&options, &store, error);
  CHECK((code == AISLE_OK) == (store != NULL) && code == error->code);
  aisle_close(store);
  return code;
}

static void errors_say_what_to_do(void) {
  aisle_error error;
  CHECK(open_error("krogre", NULL, NULL, &error) == AISLE_UNKNOWN_STORE);
  CHECK(strstr(error.message, "kroger") && strstr(error.message, "stores pack"));
  CHECK(open_error("", NULL, NULL, &error) == AISLE_UNKNOWN_STORE);
  CHECK(open_error("\xff\xfe", NULL, NULL, &error) == AISLE_UNKNOWN_STORE);
  CHECK(open_error(NULL, NULL, "de", &error) == AISLE_UNSUPPORTED && strstr(error.message, "`de`"));
  CHECK(open_error(NULL, NULL, "en", &error) == AISLE_OK && error.message[0] == 0);
  CHECK(open_error(NULL, "/nowhere/at-all", NULL, &error) == AISLE_BAD_FILE && strstr(error.message, "no such file"));
  CHECK(open_error(NULL, folder, NULL, &error) == AISLE_BAD_FILE && strstr(error.message, "aisle stores pack"));
  CHECK(open_error(NULL, "/dev/null", NULL, &error) == AISLE_BAD_FILE);
  char path[4096], text[3000];
  snprintf(path, sizeof path, "%s/junk", folder);
  FILE *file = fopen(path, "w");
  if (file != NULL) {
    for (int place = 0; place < 5000; place++) fputs("sections: # not packed\n", file);
    fclose(file);
    CHECK(open_error(NULL, path, NULL, &error) == AISLE_BAD_FILE && strstr(error.message, "stores pack"));
    CHECK(truncate(path, 100) == 0 && open_error(NULL, path, NULL, &error) == AISLE_BAD_FILE);
    CHECK(truncate(path, 0) == 0 && open_error(NULL, path, NULL, &error) == AISLE_BAD_FILE);
    remove(path);
  }
  /* A long message is cut, between two characters. */
  for (size_t place = 0; place + 2 < sizeof text; place += 2) memcpy(text + place, "\xc3\xa9", 2);
  text[sizeof text - 2] = 0;
  CHECK(open_error(text, NULL, NULL, &error) == AISLE_UNKNOWN_STORE);
  size_t length = strlen(error.message);
  CHECK(length >= sizeof error.message - 3 && (unsigned char)error.message[length - 1] != 0xc3);
  memset(text, 'a', sizeof text - 1);
  text[sizeof text - 1] = 0;
  CHECK(open_error(NULL, text, NULL, &error) == AISLE_BAD_FILE);
}

static void sizes_are_checked(void) {
  struct {
    aisle_options known;
    void *later;
  } newer = {{sizeof newer, NULL, NULL, NULL, NULL}, NULL};
  aisle_store *store = NULL;
  aisle_error error;
  CHECK(aisle_open(&newer.known, &store, &error) == AISLE_OK);
  newer.later = &newer;
  aisle_store *other = NULL;
  CHECK(aisle_open(&newer.known, &other, &error) == AISLE_UNSUPPORTED && other == NULL && strstr(error.message, "update"));
  const size_t wrong[] = {0, 8, sizeof(aisle_options) - 1, 5000, SIZE_MAX, (size_t)INT64_MAX + 1};
  for (size_t place = 0; place < sizeof wrong / sizeof *wrong; place++) {
    newer.known.size = wrong[place];
    CHECK(aisle_open(&newer.known, &other, &error) == AISLE_INVALID_ARGUMENT && strstr(error.message, "sizeof"));
  }
  aisle_items some = items("", 0, NULL, 0);
  aisle_columns none = columns(NULL);
  some.size = 3;
  CHECK(aisle_categorize(store, &some, &none, &error) == AISLE_INVALID_ARGUMENT);
  some.size = sizeof some, none.size = 1;
  CHECK(aisle_categorize(store, &some, &none, &error) == AISLE_INVALID_ARGUMENT);
  aisle_close(store);
}

static void offsets_are_checked(void) {
  aisle_store *store = opened("kroger");
  aisle_error error;
  int16_t found[4];
  aisle_columns where = columns(found);
  const struct {
    int32_t offsets[4];
    const char *says;
  } wrong[] = {
      {{-1, 2, 4, 8}, "negative"}, {{0, 4, 2, 8}, "descend"},           {{0, 4, 8, 9}, "8 bytes"},
      {{0, 4, 8, INT32_MAX}, "8 bytes"}, {{0, INT32_MIN, 4, 8}, "descend"}, {{9, 9, 9, 9}, "8 bytes"},
  };
  for (size_t place = 0; place < sizeof wrong / sizeof *wrong; place++) {
    aisle_items some = items("kaleoats", 8, wrong[place].offsets, 3);
    CHECK(aisle_categorize(store, &some, &where, &error) == AISLE_BAD_ITEMS && strstr(error.message, wrong[place].says));
    CHECK(aisle_categorize(store, &some, &where, NULL) == AISLE_BAD_ITEMS);
  }
  const int32_t right[] = {0, 4, 4, 8};
  aisle_items some = items("kaleoats", 8, right, 3);
  CHECK(aisle_categorize(store, &some, &where, NULL) == AISLE_OK);
  CHECK(found[0] == 0 && found[1] == aisle_fallback(store) && found[2] > 0);
  const int64_t large[] = {0, 4, INT64_MAX, 8};
  some.large_offsets = large;
  CHECK(aisle_categorize(store, &some, &where, &error) == AISLE_INVALID_ARGUMENT);
  some.offsets = NULL;
  CHECK(aisle_categorize(store, &some, &where, &error) == AISLE_BAD_ITEMS);
  const int64_t low[] = {INT64_MIN, 4, 6, 8};
  some.large_offsets = low;
  CHECK(aisle_categorize(store, &some, &where, &error) == AISLE_BAD_ITEMS);
  some.large_offsets = NULL;
  CHECK(aisle_categorize(store, &some, &where, &error) == AISLE_INVALID_ARGUMENT);
  some.count = 0;
  CHECK(aisle_categorize(store, &some, &where, &error) == AISLE_OK);
  some.offsets = right, some.count = -1;
  CHECK(aisle_categorize(store, &some, &where, &error) == AISLE_INVALID_ARGUMENT && strstr(error.message, "count"));
  some.count = 1, some.offset = -1;
  CHECK(aisle_categorize(store, &some, &where, &error) == AISLE_INVALID_ARGUMENT && strstr(error.message, "offset"));
  some.count = INT64_MAX, some.offset = INT64_MAX;
  CHECK(aisle_categorize(store, &some, &where, &error) == AISLE_INVALID_ARGUMENT);
  some.count = INT64_MAX, some.offset = 0;
  CHECK(aisle_categorize(store, &some, &where, &error) == AISLE_INVALID_ARGUMENT);
  some.offset = 0, some.count = 1, some.data = NULL;
  CHECK(aisle_categorize(store, &some, &where, &error) == AISLE_INVALID_ARGUMENT && strstr(error.message, "data"));
  some.data_size = -8;
  CHECK(aisle_categorize(store, &some, &where, &error) == AISLE_INVALID_ARGUMENT);
  aisle_close(store);
}

static void nulls_and_slices_are_kept(void) {
  aisle_store *store = opened("kroger");
  const int32_t offsets[] = {0, 4, 8, 12, 16, 20};
  const uint8_t validity[] = {0x15}; /* 0, 2, and 4 are there. */
  aisle_items some = items("kalebeefmilkkalemilk", 20, offsets, 5);
  int16_t found[5], strategy[5];
  float confidence[5];
  int32_t shelf[5];
  aisle_columns where = {sizeof where, found, confidence, shelf, strategy};
  some.validity = validity;
  CHECK(aisle_categorize(store, &some, &where, NULL) == AISLE_OK);
  for (int place = 0; place < 5; place++) {
    bool isNull = place % 2 == 1;
    CHECK((found[place] == -1) == isNull && (confidence[place] == 0) == isNull && (shelf[place] == -1) == isNull);
    CHECK((strategy[place] == -1) == isNull);
  }
  int16_t kept[5];
  memcpy(kept, found, sizeof kept);
  some.offset = 2, some.count = 3;
  CHECK(aisle_categorize(store, &some, &where, NULL) == AISLE_OK);
  CHECK(found[0] == kept[2] && found[1] == -1 && found[2] == kept[4]);
  CHECK(strcmp(aisle_section_name(store, found[2]), "Dairy & Eggs") == 0);
  aisle_columns none = {sizeof none, NULL, NULL, NULL, NULL};
  CHECK(aisle_categorize(store, &some, &none, NULL) == AISLE_OK);
  aisle_close(store);
}

static void any_bytes_are_items(void) {
  aisle_store *store = opened("kroger");
  unsigned seed = 7;
  enum { size = 200000, count = 4001 };
  char *data = malloc(size);
  int32_t offsets[count + 1];
  int16_t *found = malloc(count * sizeof *found);
  for (int place = 0; place < size; place++) data[place] = (char)(rand_r(&seed) >> 7);
  for (int place = 0; place <= count; place++) offsets[place] = (int32_t)((int64_t)place * size / count);
  aisle_items some = items(data, size, offsets, count);
  aisle_columns where = columns(found);
  CHECK(aisle_categorize(store, &some, &where, NULL) == AISLE_OK);
  for (int place = 0; place < count; place++) {
    aisle_answer answer;
    CHECK(aisle_categorize_one(store, data + offsets[place], (size_t)(offsets[place + 1] - offsets[place]), &answer) == AISLE_OK);
    CHECK(answer.section == found[place] && answer.section >= 0 && answer.section < aisle_section_count(store));
  }
  /* One long item among short ones. */
  const int32_t ends[] = {0, 10, size - 10, size};
  aisle_items long_one = items(data, size, ends, 3);
  CHECK(aisle_categorize(store, &long_one, &where, NULL) == AISLE_OK);
  const char *odd[] = {"\xff\xfe milk", "milk\xc3", "\xed\xa0\x80 milk", "\xf4\x90\x80\x80", "\xc0\x80"};
  for (size_t place = 0; place < sizeof odd / sizeof *odd; place++) CHECK(strcmp(section(store, odd[place]), "?") != 0);
  CHECK(aisle_categorize_one(store, "milk\0kale", 9, &(aisle_answer){0}) == AISLE_OK);
  free(data), free(found);
  aisle_close(store);
}

static void an_explanation_is_json_that_fits(void) {
  aisle_store *store = opened("kroger");
  char text[2000];
  size_t needed = 0;
  CHECK(aisle_explain(store, "2 lbs chicken thighs", 20, NULL, 0, &needed, NULL) == AISLE_TOO_SMALL && needed > 100);
  memset(text, 'x', sizeof text);
  CHECK(aisle_explain(store, "2 lbs chicken thighs", 20, text, needed - 1, NULL, NULL) == AISLE_TOO_SMALL && text[0] == 'x');
  CHECK(aisle_explain(store, "2 lbs chicken thighs", 20, text, needed, NULL, NULL) == AISLE_OK && strlen(text) == needed - 1);
  CHECK(strstr(text, "\"section\":\"Meat & Seafood\"") && strstr(text, "\"keyword\":\"chicken thigh\"") && text[needed] == 'x');
  CHECK(aisle_explain(store, "\"\n\x01\xff", 4, text, sizeof text, NULL, NULL) == AISLE_OK && strstr(text, "\\\"\\n\\u0001\xef\xbf\xbd"));
  aisle_close(store);
}

/* Two stores at once, each from many threads, and forks in the middle of it. */
typedef struct {
  const aisle_store *stores[2];
  const char *expected[2];
  atomic_bool isOver;
  atomic_int begun;
  atomic_long wrong;
} Work;

static void *ask(void *argument) {
  Work *work = argument;
  const int32_t offsets[] = {0, 8, 12, 18};
  atomic_fetch_add(&work->begun, 1);
  while (!atomic_load(&work->isOver)) {
    for (int side = 0; side < 2; side++) {
      if (strcmp(section(work->stores[side], "beef jerky"), work->expected[side]) != 0) atomic_fetch_add(&work->wrong, 1);
      int16_t found[3];
      aisle_items some = items("oat milkkaleqwrtzx", 18, offsets, 3);
      aisle_columns where = columns(found);
      if (aisle_categorize(work->stores[side], &some, &where, NULL) != AISLE_OK || found[2] != aisle_fallback(work->stores[side]))
        atomic_fetch_add(&work->wrong, 1);
      char json[2000];
      if (aisle_explain(work->stores[side], "kale", 4, json, sizeof json, NULL, NULL) != AISLE_OK) atomic_fetch_add(&work->wrong, 1);
    }
    aisle_store *another = opened("target");
    if (strcmp(section(another, "kale"), "?") == 0) atomic_fetch_add(&work->wrong, 1);
    aisle_close(another);
  }
  return NULL;
}

static void threads_and_forks_go_on(void) {
  aisle_store *stores[] = {opened("kroger"), opened("walmart")};
  Work work = {{stores[0], stores[1]}, {NULL, NULL}, false, 0, 0};
  for (int side = 0; side < 2; side++) work.expected[side] = section(stores[side], "beef jerky");
  pthread_t threads[8];
  for (int place = 0; place < 8; place++) CHECK(pthread_create(&threads[place], NULL, ask, &work) == 0);
  /* A sanitizer has locks of its own while a thread begins, which would stay closed in a child. */
  while (atomic_load(&work.begun) < 8) usleep(100);
  time_t begun = time(NULL);
  int forks = 0;
  if (seconds == 0) sleep(1);
  while (seconds > 0 && (difftime(time(NULL), begun) < seconds || forks == 0)) {
    pid_t child = fork();
    if (child == 0) {
      alarm(60); /* A child that waits for a lock forever is killed, and counts. */
      aisle_store *own = opened("aldi");
      bool isRight = strcmp(section(stores[0], "beef jerky"), work.expected[0]) == 0;
      isRight = isRight && strcmp(section(own, "kale"), "?") != 0;
      char json[2000];
      isRight = isRight && aisle_explain(stores[1], "kale", 4, json, sizeof json, NULL, NULL) == AISLE_OK;
      pid_t grandchild = fork();
      if (grandchild == 0) _exit(strcmp(section(own, "oat milk"), "?") == 0);
      int state = 1;
      isRight = isRight && waitpid(grandchild, &state, 0) == grandchild && state == 0;
      aisle_close(own);
      _exit(isRight ? 0 : 1);
    }
    int state = 1;
    CHECK(child > 0 && waitpid(child, &state, 0) == child && state == 0);
    if (state != 0) fprintf(stderr, "fork %d: state %#x\n", forks, (unsigned)state);
    forks++;
    if (child < 0 || state != 0) break;
  }
  atomic_store(&work.isOver, true);
  for (int place = 0; place < 8; place++) pthread_join(threads[place], NULL);
  CHECK(atomic_load(&work.wrong) == 0);
  printf("%d forks in the middle of 8 threads\n", forks);
  aisle_close(stores[0]), aisle_close(stores[1]);
}

int main(int argc, char **argv) {
  if (argc > 1) folder = argv[1];
  if (argc > 2) seconds = atof(argv[2]);
  /* First, so that threads meet what is made when it is first needed. */
  threads_and_forks_go_on();
  the_library_says_what_it_is();
  a_store_answers();
  nothing_is_asked_of_null();
  errors_say_what_to_do();
  sizes_are_checked();
  offsets_are_checked();
  nulls_and_slices_are_kept();
  any_bytes_are_items();
  an_explanation_is_json_that_fits();
  if (failures == 0) puts("all cases passed");
  return failures != 0;
}
