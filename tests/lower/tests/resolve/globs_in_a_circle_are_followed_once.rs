mod a {
    pub use crate::b::*;
    pub fn from_a() {}
}
mod b {
    pub use crate::a::*;
    pub fn from_b() {}
}
use a::*;
use b::missing as nothing;

// names both: a::from_a b::from_b
fn both() {
    from_a();
    from_b();
}

// error neither: 20:5 cannot find value `nothing`
fn neither() {
    nothing();
}
