use overdub::prelude::*;

fn main() {
    let _ = ctx().before(|_, _, _| todo!());
}
