/* C99. To get the same bits as the program that this was made from, compile it without `-ffast-math`, and with
   `-ffp-contract=off` and `-fno-builtin` where the compiler contracts expressions or evaluates functions by itself. */
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__clang__) || !defined(__GNUC__)
#pragma STDC FP_CONTRACT OFF
#endif
#if FLT_EVAL_METHOD != 0
#error "floats are computed in more precision than they have"
#endif

/* What happens on failure: it must not return. A program may define it before this file, to leave by `longjmp`. */
#ifndef OVERDUB_FAIL
#define OVERDUB_FAIL(message, at) (fprintf(stderr, "%s, %s\n", (message), (at)), exit(101))
#endif
#if defined(__GNUC__)
#define OVERDUB_COLD __attribute__((noreturn, cold, unused))
#else
#define OVERDUB_COLD
#endif

/* Lengths have 64 bits. */
typedef char size_t_has_64_bits[sizeof(size_t) == 8 ? 1 : -1];
