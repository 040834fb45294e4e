//! Text, formatting, options, results, cells.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::fmt;
use std::rc::Rc;

fn show<T: fmt::Debug>(x: T) -> String {
    format!("{x:?}")
}

pub fn strings() -> String {
    let s = "Hällo, wörld";
    let a = (
        s.len(),
        s.chars().count(),
        s.to_uppercase(),
        s.find("w"),
        s.find('z'),
        s.rfind('l'),
        s.contains("llo"),
        s.starts_with('H'),
        s.ends_with("ld"),
    );
    let b = (
        s.replace("l", "L"),
        s.split(", ").collect::<Vec<_>>(),
        "a,b,,c".split(',').collect::<Vec<_>>(),
        "a,b,c".splitn(2, ',').collect::<Vec<_>>(),
        "k=v=w".split_once('='),
    );
    let c = (
        " x y ".trim(),
        "  z".trim_start(),
        "xxaxx".trim_matches('x'),
        "a1b22".split(|c: char| c.is_ascii_digit()).collect::<Vec<_>>(),
        "l1\nl2\r\nl3".lines().collect::<Vec<_>>(),
        " a  b ".split_whitespace().collect::<Vec<_>>(),
    );
    let d = (
        "abc".strip_prefix("a"),
        "abc".strip_suffix('x'),
        "ab".repeat(3),
        &s[0..1],
        s.get(0..2),
        "abc".chars().rev().collect::<String>(),
        "abc".char_indices().collect::<Vec<_>>(),
        "az".bytes().collect::<Vec<_>>(),
    );
    let mut t = String::from("abc");
    t.push('d');
    t.push_str("ef");
    t.insert(0, '>');
    t.insert_str(1, "--");
    let e = (t.clone(), t.pop(), t.remove(0), t.as_str() == "--abcde", t.is_empty());
    t.truncate(3);
    t += "!";
    t.retain(|c| c != '-');
    let f = (
        t.clone() + "?" + &"x".to_string(),
        "b" > "a",
        "x".cmp("y"),
        t.eq_ignore_ascii_case("A!"),
        'ß'.to_uppercase().to_string(),
        'A'.to_ascii_lowercase(),
    );
    let g = (
        '7'.to_digit(10),
        'f'.to_digit(16),
        'z'.is_alphabetic(),
        ' '.is_whitespace(),
        '9'.is_numeric(),
        'é'.len_utf8(),
        "x".parse::<char>(),
        String::from_utf8(vec![104, 105]),
    );
    show((a, b, c, d)) + &show((e, f, g))
}

#[derive(Clone, Debug, PartialEq, Default)]
struct Point {
    x: f64,
    y: Option<i32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Shape {
    Dot,
    Line(i32, i32),
    Area { w: u8 },
}

struct Money(i64);

impl fmt::Display for Money {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.alternate() { write!(f, "${}", self.0) } else { f.pad(&format!("{}c", self.0)) }
    }
}

impl fmt::LowerHex for Money {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::LowerHex::fmt(&self.0, f)
    }
}

struct Tagged<T>(T);

impl<T: fmt::Display> fmt::Display for Tagged<T> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("<")?;
        self.0.fmt(f)?;
        f.write_char_twice('>')
    }
}

trait Extra {
    fn write_char_twice(&mut self, c: char) -> fmt::Result;
}

impl Extra for fmt::Formatter<'_> {
    fn write_char_twice(&mut self, c: char) -> fmt::Result {
        use std::fmt::Write;
        self.write_char(c)?;
        self.write_char(c)
    }
}

pub fn formats() -> String {
    let x = 3.14159;
    let w = 9;
    let a = format!(
        "[{x}] [{x:.2}] [{x:8.3}] [{x:<8.1}] [{x:^9.2}] [{x:+}] [{x:08.2}] [{:w$.1}] [{:.*}] [{:>1$}]",
        -x, 3, x, 7
    );
    let b = format!(
        "[{:5}] [{:<5}] [{:^5}] [{:05}] [{:+}] [{:#x}] [{:#010b}] [{:o}] [{:X}] [{:e}]",
        42, 42, 42, -42, 42, 255, 5, 8, 171, 1500
    );
    let c = format!(
        "[{:5}] [{:>5}] [{:*^7}] [{:.2}] [{:?}] [{:?}] [{:6?}]",
        "ab",
        "ab",
        "ab",
        "abcdef",
        "q\"\n",
        'c',
        Some(1)
    );
    let d = format!("{:?} {:?} {:?} {:?} {:?}", 1.0, 1e21, 1e-7, f64::NAN, -0.0)
        + &format!(" {} {} {} {}", 1e21, 1e-7, f32::MAX, 0.1f32 + 0.2f32);
    let e = format!("{:e} {:E} {:.2e} {:e} {0:?} {name}", 1234.5, 0.00012, 123456.0, 0.0, name = "n");
    let f = format!("{:?} {:#?}", Point { x: 1.5, y: Some(2) }, Point::default());
    let g = format!(
        "{:?} {:?} {:#?} {:?}",
        Shape::Dot,
        Shape::Line(1, -2),
        Shape::Line(3, 4),
        Shape::Area { w: 7 }
    );
    let h = format!("{:#?} {:#?} {:#?}", vec![(1, "a")], (1, 2.5), Vec::<i32>::new());
    let k = format!("{} [{:>6}] {:#} {:x} {}", Money(5), Money(7), Money(9), Money(255), Tagged(Tagged(1.5)));
    let m = format!("{{}} {:?} {:?} {:?} {:?}", (), ((),), (1,), [Some("x"), None]);
    let n = format!("{:8.3?}|{:<4?}|{:03?}|{:?}", 1.5, 2, [1, 2], "tab\tü\u{1}'");
    let p = format!("{:>8} {:<8}| {:^8} {:?} {}", true, false, 'x', true, 'y');
    [a, b, c, d, e, f, g, h, k, m, n, p].join("\n")
}

pub fn options() -> String {
    let some = Some(3);
    let none: Option<i32> = None;
    let a = (
        some.map(|x| x + 1),
        none.map(|x| x + 1),
        some.and_then(|x| (x > 5).then_some(x)),
        none.or(Some(1)),
        some.xor(none),
        some.filter(|x| *x > 1),
    );
    let b = (
        some.unwrap_or(0),
        none.unwrap_or_default(),
        none.unwrap_or_else(|| 9),
        some.map_or(0, |x| x * 2),
        none.map_or_else(|| -1, |x| x),
        some.ok_or("e"),
        none.ok_or_else(|| "f".to_string()),
    );
    let c = (
        some.is_some_and(|x| x > 2),
        none.is_none(),
        some.zip(Some('a')),
        Some(Some(1)).flatten(),
        some.iter().count(),
        Some((1, 'b')).unzip(),
        Some(Ok::<i32, i32>(1)).transpose(),
    );
    let mut o = Some(5);
    let d = (
        o.take(),
        o,
        o.replace(6),
        o.insert(7).to_string(),
        *o.get_or_insert(1),
        o.as_mut().map(|x| {
            *x += 1;
            *x
        }),
        o,
    );
    let text = Some(String::from("abc"));
    let e = (
        text.as_deref(),
        text.as_ref().map(|s| s.len()),
        text.clone().unwrap_or_default(),
        Some(&4).copied(),
        Some(&text).cloned(),
    );
    if let Some(x) = &mut o {
        *x *= 2;
    }
    show((a, b, c, d, e, o, Some(1) < Some(2), None < Some(0), some == Some(3)))
}

pub fn results() -> String {
    let ok: Result<i32, String> = Ok(3);
    let err: Result<i32, String> = Err("bad".into());
    let a = (
        ok.clone().map(|x| x * 2),
        err.clone().map_err(|e| e.len()),
        ok.clone().and_then(|x| if x > 5 { Ok(x) } else { Err("small".to_string()) }),
        err.clone().or_else(|e| if e.is_empty() { Err(e) } else { Ok::<i32, String>(0) }),
    );
    let b = (
        ok.is_ok(),
        err.is_err(),
        ok.clone().ok(),
        err.clone().err(),
        err.clone().unwrap_or(7),
        err.clone().unwrap_or_default(),
        err.clone().unwrap_or_else(|e| e.len() as i32),
        ok.as_ref().map_or(0, |x| *x),
    );
    fn half(n: i32) -> Result<i32, Box<dyn std::error::Error>> {
        if n % 2 == 1 {
            return Err("odd".into());
        }
        Ok(n / 2)
    }
    fn parse_half(s: &str) -> Result<i32, Box<dyn std::error::Error>> {
        let n: i32 = s.trim().parse()?;
        Ok(half(n)? + 1)
    }
    let c: Vec<String> = ["8", "7", "z"]
        .iter()
        .map(|s| match parse_half(s) {
            Ok(n) => n.to_string(),
            Err(e) => format!("error: {e}"),
        })
        .collect();
    #[derive(Debug)]
    enum Fault {
        Parse(std::num::ParseIntError),
        Negative(i64),
    }
    impl From<std::num::ParseIntError> for Fault {
        fn from(e: std::num::ParseIntError) -> Self {
            Fault::Parse(e)
        }
    }
    impl fmt::Display for Fault {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            match self {
                Fault::Parse(e) => write!(f, "parse: {e}"),
                Fault::Negative(n) => write!(f, "negative: {n}"),
            }
        }
    }
    impl std::error::Error for Fault {}
    fn root(s: &str) -> Result<f64, Fault> {
        let n: i64 = s.parse()?;
        if n < 0 { Err(Fault::Negative(n)) } else { Ok((n as f64).sqrt()) }
    }
    let d: Vec<String> =
        ["9", "-4", "q"].iter().map(|s| root(s).map_or_else(|e| e.to_string(), |x| x.to_string())).collect();
    show((a, b, c, d, root("-1"), root("x").is_err()))
}

pub fn cells() -> String {
    let c = Cell::new(1);
    c.set(c.get() + 4);
    let a = (c.get(), c.replace(9), c.take(), c.get());
    let r = RefCell::new(vec![1]);
    r.borrow_mut().push(2);
    {
        let mut guard = r.borrow_mut();
        guard.push(3);
        guard[0] = 10;
    }
    let b = (r.borrow().len(), r.borrow()[0], r.borrow().iter().sum::<i32>(), r.clone().into_inner());
    let shared = Rc::new(RefCell::new(0.5));
    let other = Rc::clone(&shared);
    *other.borrow_mut() += 1.0;
    let add = {
        let shared = shared.clone();
        move |x: f64| {
            *shared.borrow_mut() += x;
            *shared.borrow()
        }
    };
    let d = (add(1.0), add(2.0), *shared.borrow(), Rc::ptr_eq(&shared, &other));
    #[derive(Debug)]
    struct Node {
        value: i32,
        children: Vec<Rc<RefCell<Node>>>,
    }
    let leaf = Rc::new(RefCell::new(Node { value: 3, children: vec![] }));
    let tree = Node { value: 1, children: vec![leaf.clone(), leaf.clone()] };
    leaf.borrow_mut().value = 7;
    let e: i32 = tree.value
        + tree.children.iter().map(|c| c.borrow().value + c.borrow().children.len() as i32).sum::<i32>();
    show((a, b, d, e, &r, Cell::new(2)))
}

pub fn moves() -> String {
    let mut a = vec![1, 2];
    let mut b = vec![3];
    std::mem::swap(&mut a, &mut b);
    let old = std::mem::replace(&mut a, vec![9, 9]);
    let taken = std::mem::take(&mut b);
    let mut pair = (1, "x".to_string());
    let text = std::mem::take(&mut pair.1);
    let boxed = Box::new(5);
    let sum = *boxed + 1;
    let cow: Cow<'_, str> = if sum > 5 { Cow::Owned("own".to_string()) } else { Cow::Borrowed("b") };
    let mut list: Cow<'_, [i32]> = Cow::Borrowed(&[1, 2]);
    list.to_mut().push(3);
    show((a, b, old, taken, pair, text, sum, cow.len(), cow, list.into_owned()))
}

pub fn hashing() -> String {
    use std::collections::hash_map::DefaultHasher;
    use std::hash::{Hash, Hasher};
    let mut h = DefaultHasher::new();
    (1u8, "abc", Shape::Line(1, 2), vec![1i64, 2], Some(true), 'c').hash(&mut h);
    let mut by_shape: HashMap<Shape, i32> = HashMap::new();
    *by_shape.entry(Shape::Dot).or_insert(1) += 1;
    *by_shape.entry(Shape::Dot).or_insert(1) += 1;
    show((
        h.finish(),
        by_shape[&Shape::Dot],
        Shape::Dot < Shape::Line(0, 0),
        Shape::Line(1, 2).cmp(&Shape::Line(1, 1)),
    ))
}

pub fn dynamic() -> String {
    trait Area {
        fn area(&self) -> f64;
        fn name(&self) -> String {
            "shape".to_string()
        }
    }
    struct Square(f64);
    struct Disc(f64);
    impl Area for Square {
        fn area(&self) -> f64 {
            self.0 * self.0
        }
    }
    impl Area for Disc {
        fn area(&self) -> f64 {
            3.0 * self.0 * self.0
        }
        fn name(&self) -> String {
            "disc".into()
        }
    }
    let all: Vec<Box<dyn Area>> = vec![Box::new(Square(2.0)), Box::new(Disc(1.0))];
    let total: f64 = all.iter().map(|s| s.area()).sum();
    let names: Vec<String> = all.iter().map(|s| s.name()).collect();
    let ops: [(&str, Box<dyn Fn(f64) -> f64>); 2] =
        [("double", Box::new(|x| x * 2.0)), ("sine", Box::new(f64::sin))];
    let applied: Vec<f64> = ops.iter().map(|(_, f)| f(0.5)).collect();
    let things: Vec<Box<dyn fmt::Display>> = vec![Box::new(1), Box::new("two"), Box::new(3.5)];
    show((total, names, applied, things.iter().map(|t| t.to_string()).collect::<Vec<_>>()))
}

pub fn threads() -> String {
    use std::sync::{Arc, Mutex, mpsc};
    let total = Arc::new(Mutex::new(0));
    let handles: Vec<_> = (1..=3)
        .map(|k| {
            let total = Arc::clone(&total);
            std::thread::spawn(move || {
                *total.lock().unwrap() += k;
                k * 2
            })
        })
        .collect();
    let doubled: Vec<i32> = handles.into_iter().map(|h| h.join().unwrap()).collect();
    let (tx, rx) = mpsc::channel();
    for i in 0..3 {
        let tx = tx.clone();
        std::thread::spawn(move || tx.send(i * i).unwrap()).join().unwrap();
    }
    drop(tx);
    let mut got: Vec<i32> = rx.iter().collect();
    got.sort();
    let count = std::sync::atomic::AtomicUsize::new(1);
    count.fetch_add(4, std::sync::atomic::Ordering::SeqCst);
    let sum = *total.lock().unwrap();
    show((sum, doubled, got, count.load(std::sync::atomic::Ordering::Relaxed)))
}

pub fn temporaries_end_with_the_format() -> String {
    let cell = std::cell::RefCell::new(4);
    let texts = vec![format!("{}", cell.borrow()), {
        *cell.borrow_mut() += 1;
        format!("{}", cell.borrow())
    }];
    let both = (println!("{}", cell.borrow()), cell.replace(7));
    let shared = std::rc::Rc::new(1);
    let weak = std::rc::Rc::downgrade(&shared);
    let owned = (format!("{:?}", weak.upgrade()), std::rc::Rc::try_unwrap(shared));
    format!("{texts:?} {both:?} {owned:?} {}", format!("{}", cell.borrow()).len() + cell.take())
}
