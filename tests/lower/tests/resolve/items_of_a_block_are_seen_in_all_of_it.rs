fn helper(x: f64) -> f64 { x }

// names outer: outer::helper x@4 outer::SCALE
fn outer(x: f64) -> f64 {
    return helper(x) * SCALE;
    const SCALE: f64 = 2.0;
    fn helper(x: f64) -> f64 { x * 3.0 }
}

// names after: helper x@11
fn after(x: f64) -> f64 {
    {
        fn helper(_: f64) -> f64 { 0.0 }
    }
    helper(x)
}
