//! The program of a function in lanes as text.
//!
//! - LANETEXT1 `w0` is a register of words, `m0` one of masks, `a0` an array that all lanes share, and `s0` a stack of each lane.
//! - LANETEXT2 a step that begins with `|` writes for the lanes of its block alone, since other blocks read what it writes; every
//!   other step writes for all lanes.

use std::fmt;

use overdub_context::ir::{IntTy, Ty};

use crate::layout::Leaf;
use crate::program::{Division, Edge, Exit, Logic, Origin, Place, Planned, Program, Step};

/// Writes a program that returns values of this type, for so many lanes.
pub(crate) fn write(f: &mut fmt::Formatter<'_>, program: &Program, ret: Ty, width: usize) -> fmt::Result {
    writeln!(f, "{width} lanes -> {ret}")?;
    writeln!(f, "a block runs for the lanes that wait at it; `|` marks what is written for these alone")?;
    for (number, (ty, places, is_mapped)) in program.params.iter().enumerate() {
        let whose = if *is_mapped { "of each lane" } else { "of all lanes" };
        writeln!(f, "  parameter {number}: {ty} in {}, {whose}", listed(places.iter().map(place)))?;
    }
    for (word, bits) in &program.constants {
        writeln!(f, "  w{word} = {}", constant(*bits))?;
    }
    for (mask, bits) in &program.constant_masks {
        writeln!(f, "  m{mask} = {}", *bits != 0)?;
    }
    for (number, array) in program.arrays.iter().enumerate() {
        if let Origin::Const(value) = array {
            writeln!(f, "  a{number} = {value}")?;
        }
    }
    if !program.uniform.is_empty() {
        writeln!(f, "once, before the first element:")?;
    }
    program.uniform.iter().try_for_each(|planned| writeln!(f, "  {}", shown(&planned.step)))?;
    (0..program.blocks.len()).try_for_each(|number| block(f, program, number))
}

fn block(f: &mut fmt::Formatter<'_>, program: &Program, number: usize) -> fmt::Result {
    let block = &program.blocks[number];
    let depth = match block.depth {
        0 => String::new(),
        1 => ", in a loop".to_owned(),
        depth => format!(", in {depth} loops"),
    };
    writeln!(f, "block {number}{depth}:")?;
    for Planned { step, is_masked } in &block.steps {
        writeln!(f, "{}{}", if *is_masked { "| " } else { "  " }, shown(step))?;
    }
    match &block.exit {
        Exit::Branch(to) => writeln!(f, "  all to {}", edge(to)),
        Exit::If(mask, then, other) => {
            writeln!(f, "  of m{mask} to {}; others to {}", edge(then), edge(other))
        }
        Exit::Switch(word, cases, otherwise) => {
            for (value, to) in cases {
                writeln!(f, "  of w{word} == {value} to {}", edge(to))?;
            }
            match otherwise {
                Some(to) => writeln!(f, "  others to {}", edge(to)),
                None => Ok(()),
            }
        }
        Exit::Return(places) => {
            let parts = places.iter().zip(&program.returns).map(|(part, leaf)| match leaf {
                Leaf::Word(ty) => format!("{}: {ty}", place(part)),
                Leaf::Bool | Leaf::Array(_) | Leaf::Stack => place(part),
            });
            writeln!(f, "  return {}", listed(parts))
        }
        Exit::Fail => writeln!(f, "  fail"),
    }
}

/// A block, with the moves that precede it for the lanes that go there.
fn edge(edge: &Edge) -> String {
    let words = edge.words.iter().map(|(to, from)| format!("w{to} = w{from}"));
    let masks = edge.masks.iter().map(|(to, from)| format!("m{to} = m{from}"));
    let moves: Vec<String> = words.chain(masks).collect();
    match moves.is_empty() {
        true => format!("block {}", edge.to),
        false => format!("block {} with {}", edge.to, moves.join(", ")),
    }
}

fn place(place: &Place) -> String {
    match place {
        Place::Word(number) => format!("w{number}"),
        Place::Mask(number) => format!("m{number}"),
        Place::Array(number) => format!("a{number}"),
        Place::Stack(number) => format!("s{number}"),
    }
}

fn listed(parts: impl Iterator<Item = String>) -> String {
    let parts: Vec<String> = parts.collect();
    if parts.is_empty() { "()".to_owned() } else { parts.join(", ") }
}

/// The bits of a word, as the float that they probably are.
fn constant(bits: u64) -> String {
    let float = f64::from_bits(bits);
    let is_near = (1e-100..=1e100).contains(&float.abs());
    let is_float = is_near || float.is_infinite() || float == 0.0 && bits != 0;
    if is_float { format!("{float:?}") } else { (bits as i64).to_string() }
}

fn shown(step: &Step) -> String {
    let of_int = |int: &IntTy| int.name();
    match step {
        Step::Unary(op, d, a) => format!("w{d} = {} w{a}", name(op)),
        Step::Binary(op, d, a, b) => format!("w{d} = {} w{a}, w{b}", name(op)),
        Step::Checked(op, int, d, a, b) => {
            format!("w{d} = {} {} w{a}, w{b}, which fails on overflow", name(op), of_int(int))
        }
        Step::Wrapping(op, int, d, a, b) => {
            format!("w{d} = {}.wrapping {} w{a}, w{b}", name(op), of_int(int))
        }
        Step::Division(op, int, d, a, b) => {
            let op = if *op == Division::Quotient { "div" } else { "rem" };
            format!("w{d} = {op} {} w{a}, w{b}, which fails on zero and overflow", of_int(int))
        }
        Step::Wrap(int, d, a) => format!("w{d} = wrap {} w{a}", of_int(int)),
        Step::ToInt(int, _, d, a) => format!("w{d} = cast {} w{a}", of_int(int)),
        Step::Compare(relation, of, d, a, b) => {
            format!("m{d} = {} {} w{a}, w{b}", name(relation), name(of))
        }
        Step::Logic(Logic::Not, d, a, _) => format!("m{d} = not m{a}"),
        Step::Logic(op, d, a, b) => format!("m{d} = {} m{a}, m{b}", name(op)),
        Step::Select(d, mask, a, b) => format!("w{d} = select m{mask}, w{a}, w{b}"),
        Step::SelectMask(d, mask, a, b) => format!("m{d} = select m{mask}, m{a}, m{b}"),
        Step::Call(function, d, a) => format!("w{d} = {} w{a}, lane by lane", function.op.name),
        Step::Call2(function, d, a, b) => format!("w{d} = {} w{a}, w{b}, lane by lane", function.op.name),
        Step::Gather(d, array, at) => format!("w{d} = gather a{array}[w{at}], which fails out of bounds"),
        Step::Require(word, bits) => format!("fail unless w{word} == {}", constant(*bits)),
        Step::StackNew(stack) => format!("s{stack} = stack.new"),
        Step::Push(stack, places) => format!("push s{stack}, {}", listed(places.iter().map(place))),
        Step::Pop(stack, places) => format!("{} = pop s{stack}", listed(places.iter().map(place))),
        Step::Peek(stack, places) => format!("{} = peek s{stack}", listed(places.iter().map(place))),
        Step::StackLen(d, stack) => format!("w{d} = stack.len s{stack}"),
        Step::Repeat(array, len, fill) => format!("a{array} = w{len} times {}", place(fill)),
        Step::List(array, items) => format!("a{array} = {}", listed(items.iter().map(place))),
        Step::Set(array, at, value) => {
            format!("a{array}[w{at}] = {}, which fails out of bounds", place(value))
        }
        Step::Element(d, array, at) => format!("{} = a{array}[w{at}], which fails out of bounds", place(d)),
        Step::ArrayLen(d, array) => format!("w{d} = len a{array}"),
        Step::Eval(eval) => {
            let args = eval.args.iter().flat_map(|(_, places)| places).map(place);
            let result = listed(eval.result.iter().map(place));
            format!("{result} = {} {}, lane by lane", eval.op.name, listed(args))
        }
    }
}

/// The name of a variant, in lower case: `from.signed` of `FromSigned`.
fn name(variant: &impl fmt::Debug) -> String {
    let mut name = String::new();
    for c in format!("{variant:?}").chars() {
        if c.is_ascii_uppercase() && !name.is_empty() {
            name.push('.');
        }
        name.push(c.to_ascii_lowercase());
    }
    name
}
