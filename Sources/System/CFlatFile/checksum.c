#include "CFlatFile.h"

#include <pthread.h>
#include <string.h>

// The polynomial 0x1EDC6F41 of Castagnoli, Brauer, Herrmann (1993), lowest bit first: processors have it.
static const uint32_t polynomial = 0x82F63B78;

static uint32_t tables[8][256];
static pthread_once_t tables_once = PTHREAD_ONCE_INIT;

static void make_tables(void) {
  for (uint32_t byte = 0; byte < 256; byte++) {
    uint32_t sum = byte;
    for (int bit = 0; bit < 8; bit++) sum = sum >> 1 ^ (sum & 1 ? polynomial : 0);
    tables[0][byte] = sum;
  }
  for (int table = 1; table < 8; table++) {
    for (int byte = 0; byte < 256; byte++) {
      uint32_t sum = tables[table - 1][byte];
      tables[table][byte] = sum >> 8 ^ tables[0][sum & 0xFF];
    }
  }
}

static uint64_t load(const uint8_t *bytes) {
  uint64_t word;
  memcpy(&word, bytes, sizeof word);
  return word;
}

/// Eight bytes at a time (Kounavis, Berry: Novel Table Lookup-Based Algorithms for High-Performance CRC Generation, 2008).
static uint32_t portable(uint32_t sum, const uint8_t *bytes, size_t count) {
  pthread_once(&tables_once, make_tables);
  while (count >= 8) {
    uint64_t word = 0;
    for (int place = 0; place < 8; place++) word |= (uint64_t)bytes[place] << 8 * place;
    word ^= sum;
    sum = 0;
    for (int place = 0; place < 8; place++) sum ^= tables[7 - place][word >> 8 * place & 0xFF];
    bytes += 8;
    count -= 8;
  }
  while (count-- > 0) sum = sum >> 8 ^ tables[0][(sum ^ *bytes++) & 0xFF];
  return sum;
}

#if defined(__x86_64__)

#include <cpuid.h>
#include <nmmintrin.h>
#define USES_INSTRUCTION __attribute__((target("sse4.2")))
#define ADD8(sum, word) _mm_crc32_u64(sum, word)
#define ADD1(sum, byte) _mm_crc32_u8((uint32_t)(sum), byte)
typedef uint64_t running_sum;

static bool has_instruction(void) {
  unsigned a, b, c, d;
  return __get_cpuid(1, &a, &b, &c, &d) && c & bit_SSE4_2;
}

#elif defined(__aarch64__) && defined(__ARM_FEATURE_CRC32)

#include <arm_acle.h>
#define USES_INSTRUCTION
#define ADD8(sum, word) __crc32cd(sum, word)
#define ADD1(sum, byte) __crc32cb(sum, byte)
typedef uint32_t running_sum;

static bool has_instruction(void) { return true; }

#endif

#ifdef USES_INSTRUCTION

USES_INSTRUCTION static uint32_t fast(uint32_t sum, const uint8_t *bytes, size_t count) {
  running_sum running = sum;
  for (; count >= 8; bytes += 8, count -= 8) running = ADD8(running, load(bytes));
  for (; count > 0; bytes++, count--) running = ADD1(running, *bytes);
  return (uint32_t)running;
}

/// Three pages at once: the instruction takes three cycles, and one can begin in each.
USES_INSTRUCTION static size_t first_damaged_of_threes(
  const uint8_t *bytes, size_t count, size_t page_size, const uint32_t *sums
) {
  size_t page = 0;
  for (; (page + 3) * page_size <= count; page += 3) {
    const uint8_t *first = bytes + page * page_size, *second = first + page_size, *third = second + page_size;
    running_sum a = ~0u, b = ~0u, c = ~0u;
    for (size_t place = 0; place < page_size; place += 8) {
      // Processors foresee no reading across pages. What lies past the end is not read by this.
      if (place % 64 == 0) {
        __builtin_prefetch(first + place + 3 * page_size);
        __builtin_prefetch(second + place + 3 * page_size);
        __builtin_prefetch(third + place + 3 * page_size);
      }
      a = ADD8(a, load(first + place));
      b = ADD8(b, load(second + place));
      c = ADD8(c, load(third + place));
    }
    if (~(uint32_t)a != sums[page]) return page;
    if (~(uint32_t)b != sums[page + 1]) return page + 1;
    if (~(uint32_t)c != sums[page + 2]) return page + 2;
  }
  return page;
}

static bool is_fast;
static pthread_once_t is_fast_once = PTHREAD_ONCE_INIT;
static void look_for_instruction(void) { is_fast = has_instruction(); }

#endif

static uint32_t extend(uint32_t sum, const uint8_t *bytes, size_t count) {
#ifdef USES_INSTRUCTION
  pthread_once(&is_fast_once, look_for_instruction);
  if (is_fast) return fast(sum, bytes, count);
#endif
  return portable(sum, bytes, count);
}

uint32_t aisle_crc32c(uint32_t sum, const void *bytes, size_t count) { return ~extend(~sum, bytes, count); }

size_t aisle_first_damaged_page(const void *bytes, size_t count, size_t page_size, const uint32_t *sums) {
  size_t page = 0;
#ifdef USES_INSTRUCTION
  pthread_once(&is_fast_once, look_for_instruction);
  if (is_fast && page_size % 8 == 0) page = first_damaged_of_threes(bytes, count, page_size, sums);
#endif
  for (; page * page_size < count; page++) {
    size_t rest = count - page * page_size;
    if (aisle_crc32c(0, (const uint8_t *)bytes + page * page_size, rest < page_size ? rest : page_size) != sums[page]) break;
  }
  return page;
}
