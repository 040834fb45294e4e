//! Borrowed and owned text, escapes, `try!`.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

fn stripped(s: &str) -> Cow<'_, str> {
    if s.contains(' ') { Cow::Owned(s.replace(' ', "")) } else { Cow::Borrowed(s) }
}

pub fn cows() -> String {
    let mut a = stripped("a b c");
    a += "xyz";
    let b = stripped("q") + "rs" + stripped("t u");
    let mut c: Cow<str> = "lit".into();
    c.to_mut().push('!');
    let empty: Cow<str> = Cow::default();
    let d = empty.clone() + "from nothing";
    let owned = (matches!(d, Cow::Borrowed(_)), matches!(b, Cow::Owned(_)), a.is_empty());
    let order = (a < b, a.cmp(&c), c == "lit!", "lit!" == c, c == String::from("lit!"), String::from("x") == c);
    let list: Cow<[f64]> = Cow::from(vec![1.0, 2.5]);
    let part: Cow<[i32]> = Cow::from(&[1, 2, 3]);
    let made: Cow<[u8]> = (1..4).collect();
    let text: String = vec![Cow::Borrowed("x"), Cow::Owned("y".to_string())].into_iter().collect();
    let back: Vec<f64> = list.clone().into();
    let mut map: HashMap<Cow<str>, i32> = HashMap::new();
    map.insert("k".into(), 1);
    map.insert(Cow::Owned("k".to_string()), 2);
    let mut tree: BTreeMap<Cow<str>, i32> = BTreeMap::new();
    tree.insert("b".into(), 1);
    tree.insert(String::from("a").into(), 2);
    format!(
        "{a} {b} {c} {d} {owned:?} {order:?} {list:?} {part:?} {made:?} {text} {back:?} {:?} {:?} {tree:?}",
        map.get("k"),
        map.len()
    )
}

pub fn escapes() -> String {
    let text = "a\n\"b\u{e9}\t'";
    format!(
        "{} {} {} {} {}",
        text.escape_default(),
        text.escape_debug(),
        "\u{e9}x".escape_unicode().collect::<String>(),
        b"a\xff\n\"".escape_ascii(),
        b'\\'.escape_ascii()
    )
}

fn half(text: &str) -> Result<f64, std::num::ParseFloatError> {
    let number = r#try!(text.parse::<f64>());
    Ok(number / 2.0)
}

fn widened(text: &str) -> Result<f64, Box<dyn std::error::Error>> {
    Ok(r#try!(half(text)) + 1.0)
}

pub fn tried() -> String {
    format!("{:?} {}", widened("2.5").unwrap(), widened("zz").unwrap_err())
}
