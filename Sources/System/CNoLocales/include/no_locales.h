#ifndef AISLE_C_NO_LOCALES_H
#define AISLE_C_NO_LOCALES_H

/// ICU's data, without any; see no_locales.c.
extern const unsigned char icudt76_dat[];

#endif
