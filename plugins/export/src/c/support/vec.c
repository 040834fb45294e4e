//// vec reserve
/* Makes room for more elements. */
static inline void VEC_reserve(VEC *v, size_t more) {
    if (more > v->cap - v->len) {
        size_t cap = v->cap < 4 ? 4 : 2 * v->cap;
        if (cap < v->len + more) {
            cap = v->len + more;
        }
        v->data = allocated(v->data, cap, sizeof(ELEM));
        v->cap = cap;
    }
}
//// vec with_len
/* A vector of this length, whose elements have no values yet. */
static inline VEC VEC_with_len(size_t len) {
    VEC v = {0};
    if (len > 0) {
        v.data = allocated(NULL, len, sizeof(ELEM));
        v.len = v.cap = len;
    }
    return v;
}
//// vec from
/* A vector into which elements are moved. */
static inline VEC VEC_from(CELEM *values, size_t len) {
    VEC v = VEC_with_len(len);
    if (len > 0) {
        memcpy(v.data, values, len * sizeof(ELEM));
    }
    return v;
}
//// vec clone
/* A copy of the elements. */
static inline VEC VEC_clone(SLICE values) {
    VEC v = VEC_with_len(values.len);
COPIED    if (values.len > 0) {
COPIED        memcpy(v.data, values.data, values.len * sizeof(ELEM));
COPIED    }
OWNED    for (size_t i = 0; i < values.len; i++) {
OWNED        v.data[i] = CLONE(values.data[i]);
OWNED    }
    return v;
}
//// vec drop
/* Frees the elements. */
static inline void VEC_drop(VEC *v) {
OWNED    for (size_t i = 0; i < v->len; i++) {
OWNED        DROP(v->data[i]);
OWNED    }
    free(v->data);
}
//// vec push
/* Appends an element. */
static inline void VEC_push(VEC *v, ELEM x) {
    VEC_reserve(v, 1);
    v->data[v->len++] = x;
}
//// vec last
/* Takes out the last element of a vector that has one. */
static inline ELEM VEC_last(VEC *v) {
    return v->data[--v->len];
}
//// vec set
/* Replaces an element. */
static inline void VEC_set(VEC *v, size_t i, ELEM x) {
OWNED    DROP(v->data[i]);
    v->data[i] = x;
}
//// vec truncate
/* Drops the elements after the first ones. */
static inline void VEC_truncate(VEC *v, size_t len) {
OWNED    for (size_t i = len; i < v->len; i++) {
OWNED        DROP(v->data[i]);
OWNED    }
    if (len < v->len) {
        v->len = len;
    }
}
//// vec resize
/* Cuts off elements, or appends copies of a value. */
static inline void VEC_resize(VEC *v, size_t len, ELEM x) {
    VEC_truncate(v, len);
    if (len > v->len) {
        VEC_reserve(v, len - v->len);
        while (v->len < len) {
            v->data[v->len++] = CLONE(x);
        }
    }
OWNED    DROP(x);
}
//// vec fill
/* Replaces all elements by copies of a value. */
static inline void VEC_fill(VEC *v, ELEM x) {
    for (size_t i = 0; i < v->len; i++) {
OWNED        DROP(v->data[i]);
        v->data[i] = CLONE(x);
    }
OWNED    DROP(x);
}
//// vec repeat
/* A vector of copies of a value. */
static inline VEC VEC_repeat(ELEM x, size_t len) {
    VEC v = VEC_with_len(len);
    for (size_t i = 0; i < len; i++) {
        v.data[i] = CLONE(x);
    }
OWNED    DROP(x);
    return v;
}
//// vec insert
/* Inserts an element, by an index that may be out of bounds. */
static inline void VEC_insert(VEC *v, size_t i, ELEM x, const char *at) {
    if (i > v->len) {
        fail_with("insertion index (is %zu) should be <= len (is %zu)", i, v->len, at);
    }
    VEC_reserve(v, 1);
    memmove(v->data + i + 1, v->data + i, (v->len - i) * sizeof(ELEM));
    v->data[i] = x;
    v->len++;
}
//// vec remove
/* Takes out an element, by an index that may be out of bounds. */
static inline ELEM VEC_remove(VEC *v, size_t i, const char *at) {
    if (i >= v->len) {
        fail_with("removal index (is %zu) should be < len (is %zu)", i, v->len, at);
    }
    ELEM x = v->data[i];
    v->len--;
    memmove(v->data + i, v->data + i + 1, (v->len - i) * sizeof(ELEM));
    return x;
}
//// vec swap_remove
/* Takes out an element, whose place the last one gets. */
static inline ELEM VEC_swap_remove(VEC *v, size_t i, const char *at) {
    if (i >= v->len) {
        fail_with("swap_remove index (is %zu) should be < len (is %zu)", i, v->len, at);
    }
    ELEM x = v->data[i];
    v->data[i] = v->data[--v->len];
    return x;
}
//// vec swap
/* Exchanges two elements. */
static inline void VEC_swap(VEC *v, size_t i, size_t j, const char *at) {
    ELEM x = v->data[at_index(i, v->len, at)];
    v->data[i] = v->data[at_index(j, v->len, at)];
    v->data[j] = x;
}
//// vec reverse_range
/* The elements from one index up to another in reverse order. */
static inline void VEC_reverse_range(VEC *v, size_t from, size_t to) {
    while (from + 1 < to) {
        ELEM x = v->data[from];
        v->data[from++] = v->data[--to];
        v->data[to] = x;
    }
}
//// vec rotate
/* Moves the first elements behind the others. */
static inline void VEC_rotate(VEC *v, size_t count, const char *message, const char *at) {
    if (count > v->len) {
        fail(message, at);
    }
    VEC_reverse_range(v, 0, count);
    VEC_reverse_range(v, count, v->len);
    VEC_reverse_range(v, 0, v->len);
}
//// vec copy_within
/* Copies a range of elements to another place. */
static inline void VEC_copy_within(VEC *v, size_t from, size_t to, size_t place, const char *at) {
    check_range(from, to, v->len, at);
    if (place > v->len - (to - from)) {
        fail("dest is out of bounds", at);
    }
    if (to > from) {
        memmove(v->data + place, v->data + from, (to - from) * sizeof(ELEM));
    }
}
//// vec set_slice
/* Replaces the elements from an index on by copies of others. */
static inline void VEC_set_slice(VEC *v, size_t from, SLICE values, const char *at) {
    check_range(from, v->len, v->len, at);
    if (values.len > v->len - from) {
        fail_with("range end index %zu out of range for slice of length %zu", from + values.len, v->len, at);
    }
    for (size_t i = 0; i < values.len; i++) {
OWNED        ELEM x = CLONE(values.data[i]);
OWNED        DROP(v->data[from + i]);
OWNED        v->data[from + i] = x;
COPIED        v->data[from + i] = values.data[i];
    }
}
//// vec part
/* The elements from one index up to another, which may be out of bounds. */
static inline SLICE VEC_part(SLICE v, size_t from, size_t to, const char *at) {
    check_range(from, to, v.len, at);
    return (SLICE){to > from ? v.data + from : NULL, to - from};
}
//// vec span
/* The elements from `start`, or none if there are not `len` of them. */
static inline SLICE VEC_span(SLICE v, size_t start, size_t len) {
    bool exist = start <= v.len && len <= v.len - start;
    return (SLICE){exist ? v.data + start : NULL, exist ? len : 0};
}
//// vec span_mut
/* The elements of a vector from `start`, or none if there are not `len` of them. */
static inline VEC VEC_span_mut(VEC *v, size_t start, size_t len) {
    VEC span = {0};
    if (start <= v->len && len <= v->len - start) {
        span.data = v->data + start;
        span.len = len;
    }
    return span;
}
//// vec long_span
/* The elements from `start`, or none if there are not `len` of them, or so few that a loop over them gains nothing. */
static inline SLICE VEC_long_span(SLICE v, size_t start, size_t len) {
    return VEC_span(v, start, len < 16 ? SIZE_MAX : len);
}
//// vec long_span_mut
/* The elements of a vector from `start`, or none if there are not `len` of them, or so few that a loop over them gains nothing. */
static inline VEC VEC_long_span_mut(VEC *v, size_t start, size_t len) {
    return VEC_span_mut(v, start, len < 16 ? SIZE_MAX : len);
}
//// vec concat
/* The elements of two vectors. */
static inline VEC VEC_concat(SLICE x, SLICE y) {
    VEC v = VEC_with_len(x.len + y.len);
    for (size_t i = 0; i < x.len; i++) {
        v.data[i] = CLONE(x.data[i]);
    }
    for (size_t i = 0; i < y.len; i++) {
        v.data[x.len + i] = CLONE(y.data[i]);
    }
    return v;
}
//// vec gather
/* The elements at the given indices, which may be out of bounds. */
static inline VEC VEC_gather(SLICE values, const size_t *places, size_t count, const char *at) {
    VEC v = VEC_with_len(count);
    for (size_t i = 0; i < count; i++) {
        v.data[i] = CLONE(values.data[at_index(places[i], values.len, at)]);
    }
    return v;
}
//// vec scatter
/* The elements at the places that an order gives, which has each index once. */
static inline VEC VEC_scatter(SLICE values, const size_t *order, size_t count) {
    VEC v = VEC_clone(values);
    for (size_t i = 0; i < count && i < values.len; i++) {
        VEC_set(&v, order[i], CLONE(values.data[i]));
    }
    return v;
}
