// test lower f
use std::cell::Cell;

struct Count<'a>(&'a Cell<u32>);

impl Drop for Count<'_> {
    fn drop(&mut self) {
        self.0.set(self.0.get() + 1);
    }
}

// run: f() == [0, 1]
pub fn f() -> (u32, u32) {
    let drops = Cell::new(0);
    let before = {
        let _count = Count(&drops);
        drops.get()
    };
    (before, drops.get())
}
// ---
// fn @f() -> (u32, u32) {
//   %0: ref u32 = cell 0_u32
//   %1: Count = struct %0
//   %2: u32 = ref.get %0
//   %3: unit = call @drop<Count>(%1)
//   %4: u32 = ref.get %0
//   %5: (u32, u32) = tuple %2, %4
//   ret %5
// }
