/* libcurl's types and constants, and typed forms of its three variadic functions, which Swift cannot call.
 *
 * Nothing here links libcurl: it and the thirty libraries that it needs would add 5 ms to every start of a program that mostly works
 * without. The functions are found when the first request is made; `function` is the address of the one that is called. */
#ifndef AISLE_CCURL_SHIM_H
#define AISLE_CCURL_SHIM_H

#define CURL_DISABLE_TYPECHECK
#define CURL_DISABLE_DEPRECATION
#include <curl/curl.h>

typedef size_t (*aisle_curl_data_callback)(char *bytes, size_t size, size_t count, void *context);

static inline CURLcode aisle_curl_set_long(void *function, CURL *handle, CURLoption option, long value) {
  return ((CURLcode(*)(CURL *, CURLoption, ...))function)(handle, option, value);
}

static inline CURLcode aisle_curl_set_offset(void *function, CURL *handle, CURLoption option, long long value) {
  return ((CURLcode(*)(CURL *, CURLoption, ...))function)(handle, option, (curl_off_t)value);
}

static inline CURLcode aisle_curl_set_text(void *function, CURL *handle, CURLoption option, const char *value) {
  return ((CURLcode(*)(CURL *, CURLoption, ...))function)(handle, option, value);
}

static inline CURLcode aisle_curl_set_pointer(void *function, CURL *handle, CURLoption option, const void *value) {
  return ((CURLcode(*)(CURL *, CURLoption, ...))function)(handle, option, value);
}

static inline CURLcode aisle_curl_set_callback(void *function, CURL *handle, CURLoption option, aisle_curl_data_callback value) {
  return ((CURLcode(*)(CURL *, CURLoption, ...))function)(handle, option, value);
}

static inline CURLcode aisle_curl_get_long(void *function, CURL *handle, CURLINFO info, long *value) {
  return ((CURLcode(*)(CURL *, CURLINFO, ...))function)(handle, info, value);
}

static inline CURLcode aisle_curl_get_pointer(void *function, CURL *handle, CURLINFO info, void **value) {
  return ((CURLcode(*)(CURL *, CURLINFO, ...))function)(handle, info, value);
}

static inline CURLMcode aisle_curl_multi_set_long(void *function, CURLM *handle, CURLMoption option, long value) {
  return ((CURLMcode(*)(CURLM *, CURLMoption, ...))function)(handle, option, value);
}

/* The result of a finished transfer; in C it is a member of a union. */
static inline CURLcode aisle_curl_result(const CURLMsg *message) { return message->data.result; }

#endif
