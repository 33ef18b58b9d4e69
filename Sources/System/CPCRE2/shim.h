// PCRE2 for UTF-8. Unsuffixed names are macros that Swift does not see: call the ones that end in _8.
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
