macro_rules! doubled {
    ($e:expr) => {{
        let x = $e;
        x + x
    }};
}
macro_rules! bind {
    ($name:ident = $e:expr) => {
        let $name = $e;
    };
}
macro_rules! outer {
    ($e:expr) => {
        doubled!(doubled!($e))
    };
}

// names hygienic: x@19 y@19 x@20 x@20 d@20 z@21 x@19
fn hygienic(x: f64, y: f64) -> f64 {
    let d = doubled!(x * y);
    bind!(z = d);
    z + x
}

// names nested: x@26 x@27 x@27 x@27 x@27
fn nested(x: f64) -> f64 {
    outer!(x)
}
