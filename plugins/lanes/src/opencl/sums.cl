
/* Adds numbers of the results of work items in order, `leaf` of them for a sum. A place is the bytes before a number in a result,
   and one more if it has 32 bits. */
__kernel void overdub_sums(
    __global const uchar *results, ulong begin, ulong len, ulong room, ulong leaf, __global const ulong *places, ulong count,
    __global double *sums, ulong total
) {
    ulong number = get_global_id(0);
    if (number >= total) {
        return;
    }
    ulong first = number / count * leaf, place = places[number % count];
    ulong end = first + leaf < len ? first + leaf : len;
    double sum = 0;
    for (ulong at = first; at < end; at++) {
        __global const uchar *result = results + begin + at * room + place / 8 * 8;
        double x = place % 8 == 0 ? *(__global const double *)result : (double)*(__global const float *)result;
        sum = at == first ? x : sum + x;
    }
    sums[number] = sum;
}
