/* Prints what the library says about each line of standard input: section, confidence, strategy, and shelf, from one call for all; then, with
 * `explain`, the JSON of each in place of that. Options: --store ID, --file FILE, --corrections FILE, --language ID, --large, --one, --explain,
 * --bench N. */
#define _POSIX_C_SOURCE 200809L
#include "../aisle.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void *need(void *memory) {
  if (memory == NULL) abort();
  return memory;
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

int main(int argc, char **argv) {
  aisle_options options = {sizeof(aisle_options), NULL, NULL, NULL, NULL};
  bool isLarge = false, isOne = false, isExplained = false;
  int rounds = 0;
  for (int place = 1; place < argc; place++) {
    const char *next = place + 1 < argc ? argv[place + 1] : "";
    if (strcmp(argv[place], "--store") == 0) options.store = next, place++;
    else if (strcmp(argv[place], "--file") == 0) options.file = next, place++;
    else if (strcmp(argv[place], "--corrections") == 0) options.corrections = next, place++;
    else if (strcmp(argv[place], "--language") == 0) options.language = next, place++;
    else if (strcmp(argv[place], "--bench") == 0) rounds = atoi(next), place++;
    else if (strcmp(argv[place], "--large") == 0) isLarge = true;
    else if (strcmp(argv[place], "--one") == 0) isOne = true;
    else if (strcmp(argv[place], "--explain") == 0) isExplained = true;
    else return 64;
  }
  aisle_store *store;
  aisle_error error;
  double begun = now();
  if (aisle_open(&options, &store, &error) != AISLE_OK) {
    fprintf(stderr, "%d %s\n", error.code, error.message);
    return 2;
  }
  if (rounds > 0) printf("opened in %.1f ms\n", (now() - begun) * 1e3);

  size_t size = 0, capacity = 1 << 16, count = 0, room = 1024;
  char *text = need(malloc(capacity));
  int64_t *offsets = need(malloc(room * sizeof *offsets));
  offsets[0] = 0;
  int byte;
  while ((byte = getchar()) != EOF) {
    if (byte != '\n') {
      if (size == capacity) text = need(realloc(text, capacity *= 2));
      text[size++] = (char)byte;
      continue;
    }
    if (count + 2 > room) offsets = need(realloc(offsets, (room *= 2) * sizeof *offsets));
    offsets[++count] = (int64_t)size;
  }

  int32_t *small = need(malloc((count + 1) * sizeof *small));
  for (size_t place = 0; place <= count; place++) small[place] = (int32_t)offsets[place];
  aisle_items items = {0};
  items.size = sizeof items;
  items.data = (const uint8_t *)text;
  items.data_size = (int64_t)size;
  items.count = (int64_t)count;
  if (isLarge) items.large_offsets = offsets;
  else items.offsets = small;
  aisle_columns columns = {sizeof columns, NULL, NULL, NULL, NULL};
  columns.section = need(malloc(count * sizeof(int16_t) + 1));
  columns.confidence = need(malloc(count * sizeof(float) + 1));
  columns.shelf = need(malloc(count * sizeof(int32_t) + 1));
  columns.strategy = need(malloc(count * sizeof(int16_t) + 1));

  if (rounds > 0) {
    double best = 1e9, bestOne = 1e9;
    for (int round = 0; round < rounds; round++) {
      begun = now();
      if (aisle_categorize(store, &items, &columns, &error) != AISLE_OK) return 2;
      double taken = now() - begun;
      best = taken < best ? taken : best;
      begun = now();
      aisle_answer answer;
      for (size_t place = 0; place < count; place++)
        aisle_categorize_one(store, text + offsets[place], (size_t)(offsets[place + 1] - offsets[place]), &answer);
      taken = now() - begun;
      bestOne = taken < bestOne ? taken : bestOne;
    }
    printf("%.2f million items/s in a column, %.2f one by one\n", (double)count / best * 1e-6, (double)count / bestOne * 1e-6);
  } else if (!isOne && !isExplained && aisle_categorize(store, &items, &columns, &error) != AISLE_OK) {
    fprintf(stderr, "%d %s\n", error.code, error.message);
    return 2;
  }
  char *json = need(malloc(1 << 16));
  for (size_t place = 0; rounds == 0 && place < count; place++) {
    const char *item = text + offsets[place];
    size_t length = (size_t)(offsets[place + 1] - offsets[place]);
    if (isExplained) {
      if (aisle_explain(store, item, length, json, 1 << 16, NULL, &error) != AISLE_OK) {
        fprintf(stderr, "%d %s\n", error.code, error.message);
        return 2;
      }
      puts(json);
      continue;
    }
    aisle_answer answer;
    if (isOne) {
      if (aisle_categorize_one(store, item, length, &answer) != AISLE_OK) return 2;
    } else {
      answer.section = columns.section[place];
      answer.confidence = columns.confidence[place];
      answer.shelf = columns.shelf[place];
      answer.strategy = columns.strategy[place];
    }
    const char *shelf = aisle_shelf_name(store, answer.shelf), *strategy = aisle_strategy_id(store, answer.strategy);
    printf("%s\t%.6f\t%s\t%s\n", aisle_section_name(store, answer.section), (double)answer.confidence,
           strategy ? strategy : "none", shelf ? shelf : "");
  }
  free(json), free(text), free(offsets), free(small);
  free(columns.section), free(columns.confidence), free(columns.shelf), free(columns.strategy);
  aisle_close(store);
  return 0;
}
