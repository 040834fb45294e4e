/* A function as a library, which its host calls with packed values. */
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The blocks of memory that the call on this thread uses. A call that fails leaves by `longjmp`, and all of them are freed. */
typedef struct OverdubBlock {
    struct OverdubBlock *before, *after;
    /* What follows is aligned for numbers of 128 bits. */
} OverdubBlock;
static __thread OverdubBlock *overdub_blocks;
static __thread jmp_buf overdub_left;
__attribute__((noreturn, cold)) static void overdub_leave(void) { longjmp(overdub_left, 1); }
#define OVERDUB_FAIL(message, at) ((void)(message), (void)(at), overdub_leave())

static inline void overdub_unlink(OverdubBlock *block) {
    if (block->before != NULL) {
        block->before->after = block->after;
    } else {
        overdub_blocks = block->after;
    }
    if (block->after != NULL) {
        block->after->before = block->before;
    }
}
static inline void overdub_free(void *place) {
    if (place != NULL) {
        OverdubBlock *block = (OverdubBlock *)place - 1;
        overdub_unlink(block);
        free(block);
    }
}
/* Memory of at most 8 GiB; none if there is not so much. */
static inline void *overdub_realloc(void *place, size_t bytes) {
    if (bytes > (size_t)8 << 30) {
        return NULL;
    }
    OverdubBlock *old = place != NULL ? (OverdubBlock *)place - 1 : NULL;
    if (old != NULL) {
        overdub_unlink(old);
    }
    OverdubBlock *block = realloc(old, sizeof(OverdubBlock) + bytes);
    if (block == NULL) {
        free(old);
        return NULL;
    }
    block->before = NULL;
    block->after = overdub_blocks;
    if (block->after != NULL) {
        block->after->before = block;
    }
    overdub_blocks = block;
    return block + 1;
}

/* Where a result is written: a short one without an allocation. */
typedef struct OverdubResult {
    unsigned char *data;
    size_t len, cap;
    uint64_t room[32];
} OverdubResult;
/* The place of so many bytes more, and zeros up to a whole word. */
static inline unsigned char *overdub_room(OverdubResult *result, size_t bytes) {
    size_t padded = (bytes + 7) / 8 * 8;
    if (padded > result->cap - result->len) {
        size_t cap = 2 * result->cap + padded;
        void *old = result->data == (unsigned char *)result->room ? NULL : result->data;
        unsigned char *data = overdub_realloc(old, cap);
        if (data == NULL) {
            overdub_leave();
        }
        if (old == NULL) {
            memcpy(data, result->room, result->len);
        }
        result->data = data;
        result->cap = cap;
    }
    unsigned char *at = result->data + result->len;
    if (padded > bytes) {
        memset(at + padded - 8, 0, 8);
    }
    result->len += padded;
    return at;
}
/* Gets the packed result. */
typedef void (*OverdubSend)(void *, const unsigned char *, size_t);

#define realloc(place, bytes) overdub_realloc(place, bytes)
#define free(place) overdub_free(place)

