/* The two structures that libpng's and libheif's functions share with their callers, as their headers have had them since libpng 1.6.0
 * and libheif 1.0; both libraries keep them for as long as their file names stay libpng16 and libheif.so.1.
 *
 * They stand here, so that building needs neither library: nothing links them, and they are loaded when a photo needs them. */
#ifndef AISLE_CIMAGES_SHIM_H
#define AISLE_CIMAGES_SHIM_H

#include <stdint.h>

/* `png_image` of png.h. */
typedef struct {
  void *opaque;
  uint32_t version, width, height, format, flags, colormap_entries, warning_or_error;
  char message[64];
} aisle_png_image;

/* `png_color` of png.h. */
typedef struct {
  uint8_t red, green, blue;
} aisle_png_color;

/* `heif_error` of heif.h. */
typedef struct {
  int32_t code, subcode;
  const char *message;
} aisle_heif_error;

#endif
