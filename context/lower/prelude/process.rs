//! Ending the program.

pub fn exit(code: i32) -> ! {
    panic!("the program ended itself with status {code}")
}

pub fn abort() -> ! {
    panic!("the program aborted itself")
}

pub fn id() -> u32 {
    1
}
