//! Floats and texts as JSON.

use overdub_context::Symbol;
use overdub_context::ir::{BuildError, Func, FuncBuilder, Operand, Target, Ty};
use overdub_context::ops;

/// A function that returns the JSON of a float: its shortest digits, or the name of what is no number.
pub(super) fn float(name: Symbol, ty: Ty) -> Result<Func, BuildError> {
    let mut build = FuncBuilder::new(name, Ty::str());
    let x = build.param("x", ty);
    let zero = build.op_as(&ops::CAST, [Operand::from(0.0)], ty)?;
    let one = build.op_as(&ops::CAST, [Operand::from(1.0)], ty)?;
    let debug: [Operand; 4] = [x.into(), 1_i64.into(), (-1_i64).into(), false.into()];
    let shortest = build.op(&ops::FMT_FLOAT, debug)?;
    // Exponents have signs.
    let size = build.op(&ops::ABS, [x])?;
    let is_large = build.op(&ops::GE, [size, one])?;
    let signed = build.op(&ops::STR_REPLACE, [Operand::from(shortest), "e".into(), "e+".into()])?;
    let finite = build.op(&ops::SELECT, [is_large, signed, shortest])?;
    let is_finite = build.op(&ops::IS_FINITE, [x])?;
    let is_nan = build.op(&ops::IS_NAN, [x])?;
    let is_positive = build.op(&ops::GT, [x, zero])?;
    let infinite =
        build.op(&ops::SELECT, [is_positive.into(), Operand::from("\"inf\""), "\"-inf\"".into()])?;
    let other = build.op(&ops::SELECT, [is_nan.into(), Operand::from("\"NaN\""), infinite.into()])?;
    let text = build.op(&ops::SELECT, [is_finite, finite, other])?;
    build.ret(text)?;
    build.finish()
}

/// A function that returns a text in quotes, escaped.
pub(super) fn text(name: Symbol) -> Result<Func, BuildError> {
    const ESCAPED: [(char, &str); 7] = [
        ('"', "\\\""),
        ('\\', "\\\\"),
        ('\n', "\\n"),
        ('\r', "\\r"),
        ('\t', "\\t"),
        ('\u{8}', "\\b"),
        ('\u{c}', "\\f"),
    ];
    let mut build = FuncBuilder::new(name, Ty::str());
    let x = build.param("x", Ty::str());
    let chars = build.op(&ops::STR_CHARS, [x])?;
    let len = build.op(&ops::LEN, [chars])?;
    let [head, body, done] = [(); 3].map(|()| build.new_block());
    let (i, text) = (build.block_param(head, Ty::usize()), build.block_param(head, Ty::str()));
    build.br(head, [Operand::from(0_usize), "\"".into()])?;
    build.switch_to(head)?;
    let more = build.op(&ops::LT, [i, len])?;
    build.br_if(more, Target::from(body), Target::from(done))?;
    build.switch_to(body)?;
    let c = build.op(&ops::GET_UNCHECKED, [chars, i])?;
    let mut escaped = build.op(&ops::STR_PUSH, [Operand::from(""), c.into()])?;
    // Other control characters have four digits.
    let code = build.op_as(&ops::CAST, [c], Ty::u32())?;
    let digits = build.op(&ops::FMT_INT, [Operand::from(code), 16_i64.into()])?;
    let is_digit = build.op(&ops::LT, [Operand::from(c), '\u{10}'.into()])?;
    let start = build.op(&ops::SELECT, [is_digit.into(), Operand::from("\\u000"), "\\u00".into()])?;
    let numbered = build.op(&ops::STR_CONCAT, [start, digits])?;
    let is_control = build.op(&ops::LT, [Operand::from(c), ' '.into()])?;
    escaped = build.op(&ops::SELECT, [is_control, numbered, escaped])?;
    for (from, to) in ESCAPED {
        let is_this = build.op(&ops::EQ, [Operand::from(c), from.into()])?;
        escaped = build.op(&ops::SELECT, [Operand::from(is_this), to.into(), escaped.into()])?;
    }
    let longer = build.op(&ops::STR_CONCAT, [text, escaped])?;
    let next = build.op(&ops::ADD_WRAPPING, [Operand::from(i), 1_usize.into()])?;
    build.br(head, [next, longer])?;
    build.switch_to(done)?;
    let whole = build.op(&ops::STR_CONCAT, [Operand::from(text), "\"".into()])?;
    build.ret(whole)?;
    build.finish()
}
