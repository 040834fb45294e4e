//! Values of blocks, branches and loops; what diverges; `?`.

fn branches(x: f64) -> f64 {
    let y = if x > 0.0 { 1 } else { 2 }; // y: i32
    let z = match y { // z: f64
        1 => x,
        2 => return 0.0,
        _ => panic!("no"),
    };
    let w = loop { // w: f64
        if z > 1.0 {
            break z * 2.0;
        }
        break 1.0;
    };
    let v = 'out: { // v: i32
        if w > 2.0 {
            break 'out 1;
        }
        2
    };
    w + v as f64
}

fn unwraps(x: Option<f64>) -> f64 {
    let y = match x { // y: f64
        Some(y) => y,
        None => return -1.0,
    };
    let z = x.unwrap_or_else(|| panic!("none")); // z: f64
    y + z
}

fn never(x: i32) -> i32 {
    let y = if x > 0 { x } else { unreachable!() }; // y: i32
    y
}

#[derive(Debug)]
enum Fault {
    Parse(String),
    Negative(f64),
}

impl From<String> for Fault {
    fn from(s: String) -> Fault {
        Fault::Parse(s)
    }
}

fn parse(s: &str) -> Result<f64, String> {
    s.parse::<f64>().map_err(|e| e.to_string())
}

fn root(s: &str) -> Result<f64, Fault> {
    let x = parse(s)?; // x: f64
    if x < 0.0 {
        return Err(Fault::Negative(x));
    }
    Ok(x.sqrt())
}

fn first(xs: &[f64]) -> Option<f64> {
    let x = xs.first()?; // x: &f64
    let y = xs.get(1).copied()?; // y: f64
    Some(x + y)
}

fn boxed(s: &str) -> Result<f64, Box<dyn std::error::Error>> {
    let x: f64 = s.parse()?; // x: f64
    if x < 0.0 {
        return Err("negative".into());
    }
    Ok(x)
}

fn loops(n: usize) -> usize {
    let mut i = 0; // i: usize
    let mut stack = vec![(0, 1.0)]; // stack: Vec<(usize, f64)>
    while let Some((depth, x)) = stack.pop() { // depth: usize | x: f64
        if depth < n && x < 2.0 {
            stack.push((depth + 1, x * 1.5));
        }
        i += depth;
    }
    'outer: for a in 0..n {
        for b in (0..a).rev().step_by(2) { // b: usize
            if b == 3 {
                continue 'outer;
            }
        }
    }
    i
}

fn unassigned(c: bool) -> f64 {
    let x; // x: f64
    if c {
        x = 1.0;
    } else {
        x = 2.0;
    }
    x
}

fn generic_default<const N: usize>(xs: [f64; N]) -> f64 {
    let mut out = [0.0; N]; // out: [f64; 2]
    for i in 0..N { // i: usize
        out[i] = xs[i];
    }
    out[0]
}

fn with_length() -> f64 {
    generic_default([1.0, 2.0])
}

macro_rules! either {
    (@pick $($tokens:tt)*) => { $($tokens)* };
    (@all) => {};
    (@all ($meta:meta, $($tokens:tt)*) $($rest:tt)*) => {
        #[cfg($meta)]
        either! { @pick $($tokens)* }
        either! { @all $($rest)* }
    };
    ($($arm:tt)*) => { either! { @all $($arm)* } };
}

fn value_of_macros(x: f64) -> f64 {
    either! { (not(test), x + 1.0) (test, x) }
}
