/* Says where the items of a list belong: example [STORE] <LIST, an item a line
 *
 * cc -std=c11 example.c -I. -L. -laisle -Wl,-rpath,'$ORIGIN' -o example */
#include "aisle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  aisle_options options = {sizeof(aisle_options), NULL, NULL, NULL, NULL};
  options.store = argc > 1 ? argv[1] : "kroger";

  aisle_store *store = NULL;
  aisle_error error;
  if (aisle_open(&options, &store, &error) != AISLE_OK) {
    fprintf(stderr, "example: %s\n", error.message);
    return 2;
  }

  char line[4096];
  while (fgets(line, sizeof line, stdin) != NULL) {
    size_t length = strcspn(line, "\n");
    line[length] = '\0';
    aisle_answer answer;
    if (aisle_categorize_one(store, line, length, &answer) != AISLE_OK) return 2;
    printf("%s\t%s\t%.2f\n", line, aisle_section_name(store, answer.section), (double)answer.confidence);
  }

  /* Many items at once, as a column of Arrow has them: the bytes back to back, and where each begins. */
  const uint8_t data[] = "oat milkkale";
  const int32_t offsets[] = {0, 8, 12};
  int16_t sections[2];
  aisle_items items;
  aisle_columns columns;
  memset(&items, 0, sizeof items);
  memset(&columns, 0, sizeof columns);
  items.size = sizeof items;
  items.data = data;
  items.data_size = 12;
  items.offsets = offsets;
  items.count = 2;
  columns.size = sizeof columns;
  columns.section = sections;
  if (aisle_categorize(store, &items, &columns, &error) != AISLE_OK) {
    fprintf(stderr, "example: %s\n", error.message);
    return 2;
  }
  printf("%s, %s\n", aisle_section_name(store, sections[0]), aisle_section_name(store, sections[1]));

  aisle_close(store);
  return 0;
}
