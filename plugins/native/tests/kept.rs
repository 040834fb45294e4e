//! Arguments that the caller keeps are unchanged after a run, whatever the program does with its own copies.

use overdub_context::ir::Ty;
use overdub_context::value::{Array, Value};
use overdub_lower::Loaded;
use overdub_native::Native;

/// Bodies that change a vector `v` of `E`s; `a()` and `b()` are two of them, `m` is the caller's vector.
const EDITS: &[(&str, &str)] = &[
    ("push", "v.push(a());"),
    ("push_twice", "v.push(a()); v.push(b());"),
    ("pop_then_push", "v.pop(); v.push(a());"),
    ("truncate_then_push", "v.truncate(1); v.push(a());"),
    ("clear_then_push", "v.clear(); v.push(a());"),
    ("set", "v[0] = a();"),
    ("set_then_push", "v[1] = a(); v.push(b());"),
    ("set_in_a_loop", "for i in 0..v.len() { v[i] = a(); }"),
    ("insert", "v.insert(1, a());"),
    ("remove", "v.remove(0);"),
    ("swap_remove", "v.swap_remove(0);"),
    ("resize_up", "v.resize(7, a());"),
    ("resize_down_then_push", "v.resize(2, a()); v.push(b());"),
    ("extend", "v.extend(vec![a(), b()]);"),
    ("extend_from_slice", "v.extend_from_slice(&[a(), b()]);"),
    ("extend_by_itself", "let w = v.clone(); v.extend_from_slice(&w); v.push(a());"),
    ("append", "let mut w = vec![a(), b()]; v.append(&mut w); w.push(a()); v.extend(w);"),
    ("append_to_another", "let mut w = vec![a()]; w.append(&mut v); v.push(b()); v.extend(w);"),
    ("swap", "v.swap(0, 2);"),
    ("reverse", "v.reverse();"),
    ("rotate_left", "v.rotate_left(1); v.push(a());"),
    ("rotate_right", "v.rotate_right(1);"),
    ("fill", "v.fill(a());"),
    ("sort", "v.sort_by(|x, y| key(y).partial_cmp(&key(x)).unwrap());"),
    ("sort_then_push", "v.sort_by(|x, y| key(y).partial_cmp(&key(x)).unwrap()); v.push(a());"),
    ("retain", "v.retain(|x| key(x) > 1.5);"),
    ("dedup", "v.push(b()); v.push(b()); v.dedup_by(|x, y| key(x) == key(y));"),
    ("drain", "let w: Vec<E> = v.drain(..2).collect(); v.push(a()); v.extend(w);"),
    ("split_off", "let mut w = v.split_off(1); w.push(a()); v.extend(w);"),
    ("write_by_reference", "for x in v.iter_mut() { *x = a(); }"),
    ("write_the_last", "if let Some(x) = v.last_mut() { *x = a(); }"),
    ("write_a_part", "for x in &mut v[1..] { *x = a(); }"),
    ("write_halves", "let (x, y) = v.split_at_mut(1); x[0] = a(); y[0] = b();"),
    ("clone_then_push", "let mut w = v.clone(); w.push(a()); v.push(b()); v.extend(w);"),
    ("part_then_push", "let mut w = v[1..].to_vec(); w.push(a()); v = w;"),
    ("take_then_push", "let mut w = std::mem::take(&mut v); w.push(a()); v.push(b()); v.extend(w);"),
    ("replace_then_push", "let mut w = std::mem::replace(&mut v, vec![b()]); w.push(a()); v.extend(w);"),
    ("take_out_then_push", "let mut n = vec![v]; n[0].push(a()); v = n.pop().unwrap();"),
    ("push_in_a_struct", "let mut n = (v, 1.0); n.0.push(a()); v = n.0;"),
    ("push_in_an_option", "let mut n = Some(v); if let Some(w) = &mut n { w.push(a()); } v = n.unwrap();"),
    (
        "drain_by_pop",
        "let mut n = 0; while let Some(x) = v.pop() { if n < 3 { v.insert(0, x); } n += 1; } v.push(a());",
    ),
    ("push_in_a_call", "fn more(mut w: Vec<E>) -> Vec<E> { w.push(a()); w } v = more(more(v));"),
    ("push_by_a_call", "fn more(w: &mut Vec<E>) { w.push(a()); } more(&mut v); more(&mut v);"),
    ("push_many", "for _ in 0..40 { v.push(a()); }"),
];

/// Elements: their type, the sources of `a` and `b`, a number computed from one, and a vector of three.
type Elems = (&'static str, &'static str, &'static str, &'static str, fn() -> Value<'static>);

fn floats(elems: &[f64]) -> Value<'static> {
    Value::floats(elems.to_vec())
}

fn vector(elem: Ty, elems: impl IntoIterator<Item = Value<'static>>) -> Value<'static> {
    Value::from(Array::from_values(elem, elems).expect("they are such elements"))
}

const ELEMS: &[Elems] = &[
    ("f64", "7.5", "8.5", "*x", || floats(&[1.0, 2.0, 3.0])),
    ("bool", "true", "false", "if *x { 2.0 } else { 1.0 }", || {
        Value::from(Array::from_vec(vec![true, false, true]))
    }),
    ("u8", "7", "8", "*x as f64", || Value::from(Array::from_vec(vec![1_u8, 2, 3]))),
    ("(f64, bool)", "(7.5, true)", "(8.5, false)", "x.0", || {
        let pair = |x: f64| Value::tuple([Value::F64(x), Value::Bool(x > 1.0)]);
        vector(Ty::tuple([Ty::f64(), Ty::bool()]), [1.0, 2.0, 3.0].map(pair))
    }),
    ("Vec<f64>", "vec![7.5]", "vec![8.5, 9.5]", "x[0]", || {
        vector(Ty::array(Ty::f64(), 1), [floats(&[1.0]), floats(&[2.0, 2.0]), floats(&[3.0])])
    }),
    ("(f64, Vec<f64>)", "(7.5, vec![7.5])", "(8.5, vec![])", "x.0", || {
        let pair = |x: f64| Value::tuple([Value::F64(x), floats(&[x, x])]);
        vector(Ty::tuple([Ty::f64(), Ty::array(Ty::f64(), 1)]), [1.0, 2.0, 3.0].map(pair))
    }),
    ("String", "\"seven\".to_string()", "\"8\".to_string()", "x.len() as f64", || {
        vector(Ty::str(), ["a", "bc", "def"].map(Value::str))
    }),
    ("Option<f64>", "Some(7.5)", "None", "x.unwrap_or(0.5)", || {
        let option = Ty::option(Ty::f64());
        let some = |x: f64| overdub_context::value::Composite {
            ty: Some(option),
            tag: u32::from(x > 1.0),
            parts: (x > 1.0).then_some(Value::F64(x)).into_iter().collect(),
        };
        vector(option, [1.0, 2.0, 3.0].map(|x| Value::Composite(std::sync::Arc::new(some(x)))))
    }),
];

fn source((elem, a, b, key, _): &Elems) -> String {
    let head = format!(
        "type E = {elem};\nfn a() -> E {{ {a} }}\nfn b() -> E {{ {b} }}\nfn key(x: &E) -> f64 {{ {key} }}\n"
    );
    let edits = EDITS.iter().map(|(name, body)| {
        format!(
            "pub fn {name}(mut v: Vec<E>) -> Vec<E> {{ {body} v }}\n\
             pub fn {name}_of_a_copy(m: &[E]) -> (Vec<E>, usize) {{ let mut v = m.to_vec(); {body} (v, m.len()) }}\n"
        )
    });
    head + &edits.collect::<String>()
}

/// The source of the vector that is changed.
#[derive(Clone, Copy, PartialEq)]
enum Changes {
    TheArgument,
    ACopy,
}

/// Runs all functions of one kind of elements twice with one argument that the caller keeps.
fn the_caller_keeps(elems: &Elems, changes: Changes, native: &Native) {
    let text = source(elems);
    let loaded = Loaded::from_source("kept.rs", &text).expect("it parses");
    let compiled = loaded.engine_builder().executor(native.clone()).build();
    let interpreted = loaded.engine();
    let kept = (elems.4)();
    for (name, _) in EDITS {
        let name = if changes == Changes::ACopy { format!("{name}_of_a_copy") } else { name.to_string() };
        let func = loaded.function(&name).unwrap_or_else(|error| panic!("{name}: {error}")).symbol;
        let expected = interpreted.run(func, vec![(elems.4)()]);
        let expected = expected.unwrap_or_else(|error| panic!("{name} of {}: {error}", elems.0));
        for _ in 0..2 {
            let got = compiled.run(func, vec![kept.clone()]);
            let got = got.unwrap_or_else(|error| panic!("{name} of {}: {error}", elems.0));
            assert!(got.same(&expected), "{name} of {}: {got}, interpreted {expected}", elems.0);
            assert!(kept.same(&(elems.4)()), "{name} of {} changed its argument to {kept}", elems.0);
        }
    }
}

#[test]
fn what_the_caller_holds_is_the_same_after_every_edit() {
    ELEMS.iter().for_each(|elems| the_caller_keeps(elems, Changes::TheArgument, &Native::new()));
}

#[test]
fn what_the_caller_holds_is_the_same_after_every_edit_of_a_copy() {
    the_caller_keeps(&ELEMS[0], Changes::ACopy, &Native::new());
    the_caller_keeps(&ELEMS[5], Changes::ACopy, &Native::new());
}

#[test]
fn what_the_caller_holds_is_the_same_after_every_edit_that_nothing_optimised() {
    the_caller_keeps(&ELEMS[0], Changes::TheArgument, &Native::new().without_optimising());
    the_caller_keeps(&ELEMS[5], Changes::TheArgument, &Native::new().without_optimising());
}
