#include "no_locales.h"

// Foundation, which GRDB and Yams import, brings 34 MB of ICU's data along where it is linked statically: the languages, calendars, and
// currencies of the world. aisle formats nothing by them, so an archive without entries takes their place in the command. A linker takes
// the first definition that it meets; Foundation with another version of ICU has another name for it, and stays as it is.
#ifdef __linux__

// The header of ICU's common data (`DataHeader` and `UDataInfo` in ucmndata.h and udata.h), then a table of contents with 0 entries.
const unsigned char icudt76_dat[] __attribute__((aligned(16))) = {
    32, 0, 0xDA, 0x27,                                // Where the contents begin, and the magic bytes.
    20, 0, 0, 0, __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__, 0, 2, 0,  // The size of what follows; byte order, ASCII, 2 bytes a character.
    'C', 'm', 'n', 'D', 1, 0, 0, 0, 3, 0, 0, 0,        // The format and its version; the version of the data.
    0, 0, 0, 0, 0, 0, 0, 0,                            // Up to the contents.
    0, 0, 0, 0, 0, 0, 0, 0,                            // No entries.
};

#endif
