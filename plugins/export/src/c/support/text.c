//// plain text_reserve
/* Makes room for more bytes. */
static void text_reserve(Text *text, size_t more) {
    if (more > text->cap - text->len) {
        size_t cap = 2 * text->cap < text->len + more ? text->len + more : 2 * text->cap;
        text->data = allocated(text->data, cap, 1);
        text->cap = cap;
    }
}
//// plain text_append
/* Appends a text. */
static void text_append(Text *text, TextView more) {
    if (more.len > 0) {
        text_reserve(text, more.len);
        memcpy(text->data + text->len, more.data, more.len);
        text->len += more.len;
    }
}
//// plain text_append_owned
/* Appends a text, which is freed. */
static void text_append_owned(Text *text, Text more) {
    text_append(text, (TextView){more.data, more.len});
    free(more.data);
}
//// plain text_of
/* A text of its own. */
static Text text_of(const char *data, size_t len) {
    Text text = {0};
    text_append(&text, (TextView){data, len});
    return text;
}
//// plain text_clone
/* A copy of a text. */
static inline Text text_clone(TextView text) {
    return text_of(text.data, text.len);
}
//// plain text_drop
/* Frees a text. */
static inline void text_drop(Text *text) {
    free(text->data);
}
//// plain text_push
/* Appends a character in UTF-8. */
static void text_push(Text *text, uint32_t c) {
    char bytes[4];
    size_t len = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    for (size_t i = len - 1; i > 0; i--) {
        bytes[i] = (char)(0x80 | (c & 0x3f));
        c >>= 6;
    }
    static const unsigned char first[] = {0x00, 0xc0, 0xe0, 0xf0};
    bytes[0] = (char)(first[len - 1] | c);
    text_append(text, (TextView){bytes, len});
}
//// plain text_char
/* The character at an index of bytes, which moves on to the next one. */
static inline uint32_t text_char(TextView text, size_t *at) {
    unsigned char first = (unsigned char)text.data[(*at)++];
    size_t more = first < 0xc0 ? 0 : first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3;
    uint32_t c = more == 0 ? first : first & (0x3fu >> more);
    while (more-- > 0) {
        c = c << 6 | ((unsigned char)text.data[(*at)++] & 0x3f);
    }
    return c;
}
//// plain text_find
/* The index of the first occurrence of a text in another one from an index on, or SIZE_MAX. */
static size_t text_find(TextView text, TextView wanted, size_t from) {
    for (size_t at = from; at <= text.len && wanted.len <= text.len - at; at++) {
        if (wanted.len == 0 || memcmp(text.data + at, wanted.data, wanted.len) == 0) {
            return at;
        }
    }
    return SIZE_MAX;
}
//// plain text_starts_with
/* Whether a text starts with another one. */
static inline bool text_starts_with(TextView text, TextView start) {
    return start.len == 0 || (start.len <= text.len && memcmp(text.data, start.data, start.len) == 0);
}
//// plain text_ends_with
/* Whether a text ends with another one. */
static inline bool text_ends_with(TextView text, TextView end) {
    return end.len == 0
        || (end.len <= text.len && memcmp(text.data + text.len - end.len, end.data, end.len) == 0);
}
//// plain is_white
/* Whether a character is white space. */
static inline bool is_white(uint32_t c) {
    return c == ' ' || (c >= 9 && c <= 13) || c == 0x85 || c == 0xa0 || c == 0x1680
        || (c >= 0x2000 && c <= 0x200a) || c == 0x2028 || c == 0x2029 || c == 0x202f || c == 0x205f || c == 0x3000;
}
//// plain text_trimmed
/* The text without white space at its start (1), its end (2) or both (3). */
static TextView text_trimmed(TextView text, int ends) {
    size_t from = 0, to = text.len;
    while ((ends & 1) && from < to) {
        size_t next = from;
        if (!is_white(text_char(text, &next))) {
            break;
        }
        from = next;
    }
    while ((ends & 2) && from < to) {
        size_t last = to - 1;
        while (((unsigned char)text.data[last] & 0xc0) == 0x80) {
            last--;
        }
        size_t next = last;
        if (!is_white(text_char(text, &next))) {
            break;
        }
        to = last;
    }
    return (TextView){text.data + from, to - from};
}
//// plain text_part
/* The bytes of a text from one index up to another, which must be at the boundaries of characters. */
static TextView text_part(TextView text, size_t from, size_t to, const char *at) {
    if (from > to) {
        fail_with("begin <= end (%zu <= %zu) when slicing a text", from, to, at);
    }
    if (to > text.len) {
        fail_with("byte index %zu is out of bounds of a text of %zu bytes", to, text.len, at);
    }
    if ((from < text.len && ((unsigned char)text.data[from] & 0xc0) == 0x80)
        || (to < text.len && ((unsigned char)text.data[to] & 0xc0) == 0x80)) {
        fail_with("byte index %zu or %zu is not a char boundary", from, to, at);
    }
    return (TextView){text.data + from, to - from};
}
//// plain text_repeat
/* A text repeated. */
static Text text_repeat(TextView text, size_t count) {
    Text result = {0};
    if (text.len > 0) {
        if (count > SIZE_MAX / 2 / text.len) {
            fail("capacity overflow", "in the memory allocator");
        }
        text_reserve(&result, count * text.len);
        for (size_t i = 0; i < count; i++) {
            text_append(&result, text);
        }
    }
    return result;
}
//// plain text_replace
/* A text with the occurrences of another one replaced by a third. */
static Text text_replace(TextView text, TextView from, TextView to) {
    Text result = {0};
    size_t at = 0;
    for (;;) {
        size_t found = text_find(text, from, at);
        if (found == SIZE_MAX) {
            break;
        }
        text_append(&result, (TextView){text.data + at, found - at});
        text_append(&result, to);
        at = found + from.len;
        if (from.len == 0) {
            if (at == text.len) {
                return result;
            }
            size_t next = at;
            text_char(text, &next);
            text_append(&result, (TextView){text.data + at, next - at});
            at = next;
        }
    }
    text_append(&result, (TextView){text.data + at, text.len - at});
    return result;
}
//// plain text_padded
/* A text padded to a width in characters: aligned left (0), centred (1) or right (2). */
static Text text_padded(TextView text, uint32_t fill, int64_t align, size_t width, const char *at) {
    if (width > 65535) {
        fail("Formatting argument out of range", at);
    }
    size_t count = 0;
    for (size_t i = 0; i < text.len; i++) {
        count += ((unsigned char)text.data[i] & 0xc0) != 0x80;
    }
    size_t missing = count < width ? width - count : 0;
    size_t before = align == 0 ? 0 : align == 1 ? missing / 2 : missing;
    Text result = {0};
    for (size_t i = 0; i < before; i++) {
        text_push(&result, fill);
    }
    text_append(&result, text);
    for (size_t i = before; i < missing; i++) {
        text_push(&result, fill);
    }
    return result;
}
//// plain parse_real
/* Whether a text is a float as Rust writes it, and the end of its number in C. */
static bool parse_real(TextView text, char *copy) {
    size_t at = 0, digits = 0;
    if (at < text.len && (text.data[at] == '+' || text.data[at] == '-')) {
        at++;
    }
    for (size_t i = 0; i < text.len; i++) {
        copy[i] = (char)(text.data[i] >= 'A' && text.data[i] <= 'Z' ? text.data[i] + 32 : text.data[i]);
    }
    copy[text.len] = 0;
    if (strcmp(copy + at, "inf") == 0 || strcmp(copy + at, "infinity") == 0 || strcmp(copy + at, "nan") == 0) {
        return true;
    }
    for (; at < text.len && copy[at] >= '0' && copy[at] <= '9'; at++) {
        digits++;
    }
    if (at < text.len && copy[at] == '.') {
        for (at++; at < text.len && copy[at] >= '0' && copy[at] <= '9'; at++) {
            digits++;
        }
    }
    if (digits == 0) {
        return false;
    }
    if (at < text.len && copy[at] == 'e') {
        at++;
        if (at < text.len && (copy[at] == '+' || copy[at] == '-')) {
            at++;
        }
        size_t start = at;
        while (at < text.len && copy[at] >= '0' && copy[at] <= '9') {
            at++;
        }
        if (at == start) {
            return false;
        }
    }
    return at == text.len;
}
//// plain print_text
/* Writes a text. */
static void print_text(FILE *file, TextView text) {
    if (text.len > 0) {
        fwrite(text.data, 1, text.len, file);
    }
}
//// plain show_escaped
/* Prints a character as in a literal of Rust between such quotes. */
static void show_escaped(uint32_t c, char quote) {
    if (c == '\n' || c == '\t' || c == '\r' || c == 0) {
        fputs(c == '\n' ? "\\n" : c == '\t' ? "\\t" : c == '\r' ? "\\r" : "\\0", stdout);
    } else if (c == (uint32_t)quote || c == '\\') {
        printf("\\%c", (char)c);
    } else if (c < 32 || (c >= 127 && c < 160) || (c >= 0xe000 && c < 0xf900) || c >= 0xe0000) {
        /* Control characters, and characters for private use. */
        printf("\\u{%x}", (unsigned)c);
    } else {
        Text plain = {0};
        text_push(&plain, c);
        print_text(stdout, (TextView){plain.data, plain.len});
        free(plain.data);
    }
}
//// plain show_char
/* Prints a character in quotes. */
static void show_char(uint32_t c) {
    putchar('\'');
    show_escaped(c, '\'');
    putchar('\'');
}
//// plain show_str
/* Prints a text in quotes. */
static void show_str(Text text) {
    putchar('"');
    for (size_t at = 0; at < text.len;) {
        show_escaped(text_char((TextView){text.data, text.len}, &at), '"');
    }
    putchar('"');
}
//// plain check_precision
/* A number of digits as formats take it. */
static inline int64_t check_precision(int64_t precision, const char *at) {
    if (precision < -1 || precision > 65535) {
        fail("Formatting argument out of range", at);
    }
    return precision;
}
//// plain is_utf8
/* Whether bytes are UTF-8. */
static bool is_utf8(const uint8_t *bytes, size_t len) {
    for (size_t i = 0; i < len;) {
        uint8_t first = bytes[i++];
        if (first < 0x80) {
            continue;
        }
        size_t more = first >= 0xc2 && first < 0xe0 ? 1 : first >= 0xe0 && first < 0xf0 ? 2 : first >= 0xf0 && first < 0xf5 ? 3 : 0;
        if (more == 0 || more > len - i) {
            return false;
        }
        /* No character has two forms, none is a half of another one, none is beyond the last one. */
        uint8_t low = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
        uint8_t high = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
        for (; more > 0; more--, low = 0x80, high = 0xbf) {
            if (bytes[i] < low || bytes[i] > high) {
                return false;
            }
            i++;
        }
    }
    return true;
}
//// plain check_ascii
/* Fails on a character about which this program knows nothing: it has no tables of Unicode. */
static inline uint32_t check_ascii(uint32_t c, const char *at) {
    if (c >= 0x80) {
        fail("a character outside of ASCII, whose properties this program does not know", at);
    }
    return c;
}
//// plain is_alphabetic
/* Whether a character of ASCII is a letter. */
static inline bool is_alphabetic(uint32_t c, const char *at) {
    return (check_ascii(c, at) | 32) >= 'a' && (c | 32) <= 'z';
}
//// plain is_numeric
/* Whether a character of ASCII is a digit. */
static inline bool is_numeric(uint32_t c, const char *at) {
    return check_ascii(c, at) >= '0' && c <= '9';
}
//// plain is_alphanumeric
/* Whether a character of ASCII is a letter or a digit. */
static inline bool is_alphanumeric(uint32_t c, const char *at) {
    return is_alphabetic(c, at) || is_numeric(c, at);
}
//// plain is_upper
/* Whether a character of ASCII is an upper-case letter. */
static inline bool is_upper(uint32_t c, const char *at) {
    return check_ascii(c, at) >= 'A' && c <= 'Z';
}
//// plain is_lower
/* Whether a character of ASCII is a lower-case letter. */
static inline bool is_lower(uint32_t c, const char *at) {
    return check_ascii(c, at) >= 'a' && c <= 'z';
}
//// plain char_to_upper
/* A character of ASCII in upper case. */
static Text char_to_upper(uint32_t c, const char *at) {
    char upper = (char)(is_lower(c, at) ? c - 32 : c);
    return text_of(&upper, 1);
}
//// plain char_to_lower
/* A character of ASCII in lower case. */
static Text char_to_lower(uint32_t c, const char *at) {
    char lower = (char)(is_upper(c, at) ? c + 32 : c);
    return text_of(&lower, 1);
}
//// plain text_to_upper
/* A text of ASCII in upper case. */
static Text text_to_upper(TextView text, const char *at) {
    Text result = text_clone(text);
    for (size_t i = 0; i < text.len; i++) {
        if (is_lower((unsigned char)text.data[i], at)) {
            result.data[i] = (char)(text.data[i] - 32);
        }
    }
    return result;
}
//// plain text_to_lower
/* A text of ASCII in lower case. */
static Text text_to_lower(TextView text, const char *at) {
    Text result = text_clone(text);
    for (size_t i = 0; i < text.len; i++) {
        if (is_upper((unsigned char)text.data[i], at)) {
            result.data[i] = (char)(text.data[i] + 32);
        }
    }
    return result;
}
//// plain push_escaped
/* Appends a character of ASCII as in a literal of Rust between such quotes. */
static void push_escaped(Text *text, uint32_t c, char quote, const char *at) {
    char escape[16];
    int len;
    if (c == '\n' || c == '\t' || c == '\r' || c == 0 || c == '\\' || c == (uint32_t)quote) {
        char last = (char)(c == '\n' ? 'n' : c == '\t' ? 't' : c == '\r' ? 'r' : c == 0 ? '0' : c);
        len = snprintf(escape, sizeof escape, "\\%c", last);
    } else if (c < 32 || c == 127) {
        len = snprintf(escape, sizeof escape, "\\u{%x}", (unsigned)c);
    } else {
        len = snprintf(escape, sizeof escape, "%c", (char)check_ascii(c, at));
    }
    text_append(text, (TextView){escape, (size_t)len});
}
//// plain text_debug
/* A text of ASCII in quotes, escaped. */
static Text text_debug(TextView text, const char *at) {
    Text result = text_of("\"", 1);
    for (size_t i = 0; i < text.len; i++) {
        push_escaped(&result, (unsigned char)text.data[i], '"', at);
    }
    text_push(&result, '"');
    return result;
}
//// plain char_debug
/* A character of ASCII in quotes, escaped. */
static Text char_debug(uint32_t c, const char *at) {
    Text result = text_of("'", 1);
    push_escaped(&result, c, '\'', at);
    text_push(&result, '\'');
    return result;
}
//// plain text_escaped
/* A text of ASCII, with both kinds of quotes escaped. */
static Text text_escaped(TextView text, const char *at) {
    Text result = {0};
    for (size_t i = 0; i < text.len; i++) {
        char c = text.data[i];
        push_escaped(&result, (unsigned char)c, c == '\'' ? '\'' : '"', at);
    }
    return result;
}
