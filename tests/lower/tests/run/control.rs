//! Loops, jumps and blocks.

pub fn labelled_breaks(x: f64) -> f64 {
    let mut found = -1.0;
    'outer: for i in 0..10 {
        for j in 0..10 {
            if (i * j) as f64 > x + 5.0 {
                found = (i * 10 + j) as f64;
                break 'outer;
            }
        }
    }
    found
}

pub fn loop_value(x: f64) -> f64 {
    let mut n = x.abs();
    let steps = loop {
        if n > 100.0 {
            break n / 3.0;
        }
        n = n * 2.0 + 1.0;
    };
    steps + n
}

fn classify(x: f64) -> f64 {
    if x < 0.0 {
        return -1.0;
    }
    for i in 0..5 {
        if x == i as f64 {
            return i as f64 * 10.0;
        }
    }
    let y = if x > 5.0 { return 50.0 } else { x };
    y + 0.5
}

pub fn early_returns(x: f64) -> f64 {
    classify(x)
}

fn positive(x: f64) -> Option<f64> {
    (x > 0.0).then_some(x)
}

fn both(x: f64, y: f64) -> Option<f64> {
    let a = positive(x)?;
    Some(a + positive(y)? * 2.0)
}

pub fn question_option(x: f64) -> f64 {
    both(x, 1.0).or(both(1.0, -x)).unwrap_or(-3.0)
}

#[derive(Debug)]
enum Fault {
    Small(f64),
    Text(String),
}

struct Raw(f64);

impl From<Raw> for Fault {
    fn from(raw: Raw) -> Fault {
        Fault::Small(raw.0 * 2.0)
    }
}

impl From<std::num::ParseFloatError> for Fault {
    fn from(error: std::num::ParseFloatError) -> Fault {
        Fault::Text(error.to_string())
    }
}

fn raw(x: f64) -> Result<f64, Raw> {
    if x < 0.5 { Err(Raw(x)) } else { Ok(x) }
}

fn all(x: f64, text: &str) -> Result<f64, Fault> {
    let a = raw(x)?;
    let b: f64 = text.parse()?;
    if a + b > 900.0 {
        return Err(Fault::Text(format!("{} is too much", a + b)));
    }
    Ok(a * b)
}

pub fn question_result(x: f64) -> f64 {
    let score = |r: Result<f64, Fault>| match r {
        Ok(y) => y,
        Err(Fault::Small(y)) => y - 100.0,
        Err(Fault::Text(text)) => text.len() as f64,
    };
    score(all(x, "2.5")) + score(all(x, "what"))
}

pub fn nested_loops(x: f64) -> f64 {
    let mut acc = x;
    let mut i = 0;
    while i < 4 {
        let mut j = i;
        while j > 0 {
            acc += (i * j) as f64;
            if acc > 20.0 {
                acc -= 15.0;
                break;
            }
            j -= 1;
        }
        i += 1;
    }
    acc
}

pub fn continue_outer(x: f64) -> f64 {
    let mut acc = 0.0;
    'rows: for i in 0..5 {
        for j in 0..5 {
            if j == 3 {
                continue 'rows;
            }
            if i == 2 {
                continue;
            }
            acc += x + (i * j) as f64;
        }
        acc += 1000.0;
    }
    acc
}

pub fn block_value(x: f64) -> f64 {
    let y = {
        let a = x * 2.0;
        let b = a + 1.0;
        a * b
    };
    let () = {};
    y + {
        let z = y;
        z - 1.0
    } * 0.5
}

pub fn diverging_arm(x: f64) -> f64 {
    let mut n = 0;
    loop {
        let y: f64 = match n {
            0 => 1.0,
            1 => {
                n += 1;
                continue;
            }
            5 => break,
            k if k > 100 => panic!("never"),
            k => k as f64,
        };
        if x > y {
            return x + y;
        }
        n += 1;
    }
    f64::from(n)
}

pub fn short_circuit(x: f64) -> f64 {
    let mut calls = 0;
    let mut note = |b: bool| {
        calls += 1;
        b
    };
    let a = note(x > 0.0) && note(x > 1.0) || note(x < -1.0);
    let b = !(note(x > 5.0) || note(x < 5.0));
    f64::from(calls) + if a { 10.0 } else { 0.0 } + if b { 100.0 } else { 0.0 }
}

pub fn while_conditions(x: f64) -> f64 {
    let mut v = vec![1.0, x, 3.0];
    let mut n = 0;
    while {
        n += 1;
        n < 10
    } && !v.is_empty()
        && v[v.len() - 1] != 1.0
    {
        v.pop();
    }
    f64::from(n) + v.len() as f64
}

pub fn unit_values(x: f64) -> f64 {
    let mut y = x;
    let u = {
        y += 1.0;
    };
    let units = [u, ()];
    let r: Result<(), ()> = if x > 0.0 { Ok(()) } else { Err(()) };
    if let Ok(()) = r {
        y += 1.0;
    }
    y + units.len() as f64
}

pub fn collatz(x: f64) -> f64 {
    let mut n = x.abs() as u64 + 27;
    let mut steps = 0u32;
    while n != 1 {
        n = if n % 2 == 0 { n / 2 } else { 3 * n + 1 };
        steps += 1;
    }
    f64::from(steps)
}

pub fn never_in_operand(x: f64) -> f64 {
    let f = |y: f64| -> f64 {
        let z = 1.0 + (if y > 0.0 { y } else { return -1.0 });
        z * (match y as i32 {
            7 => return 77.0,
            n => n as f64,
        })
    };
    f(x)
}

pub fn labelled_block(x: f64) -> f64 {
    let y = 'find: {
        if x < 0.0 {
            break 'find -1.0;
        }
        for i in 0..3 {
            if x == i as f64 {
                break 'find 10.0 + i as f64;
            }
        }
        99.0
    };
    y * 2.0
}

pub fn for_ranges(x: f64) -> f64 {
    let mut acc = x;
    for i in (0..5).rev() {
        acc = acc * 0.5 + i as f64;
    }
    for i in 1..=3 {
        acc += i as f64;
    }
    for i in (0..10).step_by(3) {
        acc += (i * i) as f64;
    }
    for (i, c) in "abc".chars().enumerate() {
        acc += i as f64 * c as u32 as f64;
    }
    for i in (1..4).chain(7..9).map(|i| i * 2).filter(|i| i % 4 == 0) {
        acc -= i as f64;
    }
    acc
}

pub fn for_step(x: f64) -> f64 {
    let v = vec![1.0, 2.0, x, 4.0];
    let mut acc = 0.0;
    for w in v.windows(2) {
        acc += w[0] * w[1];
    }
    for (a, b) in v.iter().zip(v.iter().skip(1)) {
        acc -= a / (b + 10.5);
    }
    acc
}

pub fn question_errors(x: f64) -> f64 {
    fn root(x: f64) -> Result<f64, String> {
        if x < 0.0 {
            Err("negative")?;
        }
        Ok(x.sqrt())
    }
    fn first(x: f64) -> Option<f64> {
        if x > 5.0 {
            None?
        }
        Some(x)
    }
    let length = |x: f64| -> Result<f64, String> {
        if x > 100.0 {
            Err("long".to_owned())?
        }
        root(x)
    };
    length(x).unwrap_or_else(|text| text.len() as f64) + first(x).unwrap_or(0.5)
}

macro_rules! ended_twice {
    ($($name:ident = $value:expr);*) => {{
        $(let $name = $value;)*;
        0.0 $(+ $name)*
    }};
}

#[allow(redundant_semicolons)]
pub fn semicolons_alone(x: f64) -> f64 {
    struct Pair {
        a: f64,
    };
    fn twice(x: f64) -> f64 {
        2.0 * x
    }
    ;;
    let pair = Pair { a: x };;
    let sum = ended_twice!(a = pair.a; b = twice(x));
    if sum > 1e9 {
        return 0.0;
    };
    ; sum
}
