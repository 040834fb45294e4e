// test lower f
// run: f(0, 5) == false
// run: f(5, 10) == true
pub fn f(n: usize, m: usize) -> bool {
    n != 0 && m / n == 2
}
// ---
// fn @f(%n: usize, %m: usize) -> bool {
//   %2: bool = ne %n, 0_usize
//   br_if %2, ^1, ^2(%2)
// ^1:
//   %3: usize = div %m, %n
//   %4: bool = eq %3, 2_usize
//   br ^2(%4)
// ^2(%5: bool):
//   ret %5
// }
