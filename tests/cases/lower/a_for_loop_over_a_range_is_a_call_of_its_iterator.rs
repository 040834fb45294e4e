// test lower f
// run: f(4) == 6
pub fn f(n: usize) -> usize {
    let mut sum = 0;
    for i in 0..n {
        sum += i;
    }
    sum
}
// ---
// fn @f(%n: usize) -> usize {
//   %1: std::range::Range<usize> = struct 0_usize, %n
//   %2: std::range::Range<usize> = call @<I as std::iter::traits::IntoIterator>::into_iter<Range<usize>>(%1)
//   br ^1(%2, 0_usize)
// ^1(%iter: std::range::Range<usize>, %sum: usize):
//   %5: (Option<usize>, std::range::Range<usize>) = call @<std::range::Range as std::iter::iterator::Iterator>::next<usize>(%iter)
//   %6: Option<usize> = field %5, 0
//   %7: std::range::Range<usize> = field %5, 1
//   switch %6, 0: ^2, 1: ^3
// ^2:
//   ret %sum
// ^3:
//   %8: usize = payload %6, 1, 0
//   %9: usize = add %sum, %8
//   br ^1(%7, %9)
// }
