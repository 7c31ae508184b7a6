// SPDX-License-Identifier: BSD-3-Clause
#include "options.h"

#include <stdio.h>
#include <string.h>

static const char kBlanks[] = " \t\r\n";

struct word {
  const char* text;
  int length;
};

/* The words that were given. */
struct given {
  int fresh, repair, spare, drift, cold, seconds;
};

static int is(struct word word, const char* text) {
  return strlen(text) == (size_t)word.length && strncmp(word.text, text, (size_t)word.length) == 0;
}

/* The value behind the name, if there is one. */
static int has_value(struct word word, const char* name, struct word* value) {
  const int length = (int)strlen(name);
  if (word.length < length || strncmp(word.text, name, (size_t)length) != 0) return 0;
  *value = (struct word){word.text + length, word.length - length};
  return 1;
}

static int refuse(fatwood_error* error, struct word word, const char* expected) {
  snprintf(error->text, sizeof error->text, "event_plugin_options: %.*s: %s", word.length,
           word.text, expected);
  return -1;
}

/* Digits only. */
static int read_count(struct word value, size_t* count) {
  if (value.length < 1 || value.length > 9) return -1;
  *count = 0;
  for (int i = 0; i < value.length; ++i) {
    if (value.text[i] < '0' || value.text[i] > '9') return -1;
    *count = 10 * *count + (size_t)(value.text[i] - '0');
  }
  return 0;
}

/* Digits with at most one point, independent of the locale. */
static int read_decimal(struct word value, double* decimal) {
  double digits = 0, scale = 1;
  int points = 0;
  if (value.length < 1 || value.length > 9) return -1;
  for (int i = 0; i < value.length; ++i) {
    if (value.text[i] == '.') {
      if (++points > 1 || i == 0 || i == value.length - 1) return -1;
      continue;
    }
    if (value.text[i] < '0' || value.text[i] > '9') return -1;
    digits = 10 * digits + (value.text[i] - '0');
    if (points) scale *= 10;
  }
  *decimal = digits / scale;
  return 0;
}

static int read_word(struct word word, struct plugin_options* options, struct given* given,
                     fatwood_error* error) {
  struct word value;
  if (is(word, "fatwood_fresh")) {
    ++given->fresh;
  } else if (is(word, "fatwood_repair")) {
    ++given->repair;
    options->repair = 1;
  } else if (has_value(word, "fatwood_spare_blocks=", &value)) {
    ++given->spare;
    options->keep.rebalance = 1;
    if (read_count(value, &options->keep.spare_blocks))
      return refuse(error, word, "expected a number of blocks, such as 16");
  } else if (has_value(word, "fatwood_drift=", &value)) {
    ++given->drift;
    if (read_decimal(value, &options->keep.most_drift) || options->keep.most_drift == 0)
      return refuse(error, word, "expected a number above 0, such as 0.05 or 1.25");
    if (options->keep.most_drift < 1) options->keep.rebalance = 1;
  } else if (is(word, "fatwood_cold")) {
    ++given->cold;
    options->cold = 1;
  } else if (has_value(word, "fatwood_seconds=", &value)) {
    ++given->seconds;
    if (read_decimal(value, &options->seconds) || options->seconds == 0)
      return refuse(error, word, "expected a number of seconds above 0, such as 60 or 2.5");
  } else {
    return refuse(error, word,
                  "expected fatwood_fresh, fatwood_repair, fatwood_spare_blocks=N, "
                  "fatwood_drift=X, fatwood_cold or fatwood_seconds=N");
  }
  if (given->fresh > 1 || given->repair > 1 || given->spare > 1 || given->drift > 1 ||
      given->cold > 1 || given->seconds > 1)
    return refuse(error, word, "given twice");
  return 0;
}

int read_options(const char* words, struct plugin_options* options, fatwood_error* error) {
  const struct plugin_options defaults = {.seconds = 60};
  struct given given = {0};
  *options = defaults;
  int result = 0;
  for (const char* at = words ? words : ""; !result;) {
    at += strspn(at, kBlanks);
    if (!*at) break;
    const struct word word = {at, (int)strcspn(at, kBlanks)};
    at += word.length;
    if (strncmp(word.text, "fatwood_", 8) == 0) result = read_word(word, options, &given, error);
  }
  const struct word repair = {"fatwood_repair", 14};
  if (!result && given.fresh && given.repair)
    result = refuse(error, repair, "given together with fatwood_fresh");
  if (!result && !given.repair && (given.spare || given.drift || given.cold))
    result = refuse(error, repair,
                    "expected with fatwood_spare_blocks, fatwood_drift and fatwood_cold, which "
                    "have no effect without it");
  if (result) *options = defaults;
  return result;
}
