const LIMIT: i32 = 3;
fn name() -> i32 { 1 }
enum Side { Left, Right }
use Side::*;

// names shadows: name@8 x@7 before@9 other@12 LIMIT?
fn shadows(x: i32) -> i32 {
    let name = 2;
    let before = name;
    match x {
        LIMIT => before,
        other => other,
    }
}

// names chooses: side@17 Side::Left? Side::Right?
fn chooses(side: Side) -> i32 {
    match side {
        Left => 1,
        Right => 2,
    }
}
