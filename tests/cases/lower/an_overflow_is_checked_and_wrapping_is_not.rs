// test lower f
// run: f(250, 10) == 4
pub fn f(x: u8, y: u8) -> u8 {
    if x > 200 { x.wrapping_add(y) } else { x + y }
}
// ---
// fn @f(%x: u8, %y: u8) -> u8 {
//   %2: bool = gt %x, 200_u8
//   br_if %2, ^1, ^2
// ^1:
//   %3: u8 = add.wrapping %x, %y
//   br ^3(%3)
// ^2:
//   %4: u8 = add %x, %y
//   br ^3(%4)
// ^3(%5: u8):
//   ret %5
// }
