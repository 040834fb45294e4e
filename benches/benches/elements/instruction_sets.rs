//! Lanes by each instruction set that the machine has, without what `map` does around them.

use overdub_benches::{Row, compare};
use overdub_context::engine::Engine;
use overdub_context::value::Array;
use overdub_lanes::{Argument, Lanes, inlined};
use overdub_lower::registry;
use overdub_passes::InstructionSet;

/// A function of floats, each of which every element has for itself.
fn lanes_of<F: 'static>(engine: &Engine, _: F, params: usize, set: InstructionSet) -> Lanes {
    let symbol = registry::function_of::<F>().expect("it is annotated").symbol;
    let module = engine.module();
    let func = module.func(symbol).expect("it loads").expect("it is there");
    let lanes = Lanes::for_instruction_set(&inlined(&module, &func), &vec![true; params], set);
    lanes.expect("it runs in lanes")
}

/// Times a function of one element, with each of the inputs, and a loop over it.
fn row<F: 'static, T>(
    (name, engine, set): (&str, &Engine, InstructionSet),
    f: F,
    inputs: &[&[f64]],
    by_hand: impl FnMut() -> Vec<T>,
) -> Row {
    let lanes = lanes_of(engine, f, inputs.len(), set);
    let ours = || {
        let args: Vec<_> =
            inputs.iter().map(|input| Argument::Each(Array::from_vec(input.to_vec()))).collect();
        lanes.run(&args, inputs[0].len(), &mut |_| false).expect("none fails")
    };
    compare(name, inputs[0].len() as f64, ours, by_hand)
}

/// Points, square roots and a logistic map.
pub(crate) fn rows(
    engine: &Engine,
    set: InstructionSet,
    ([re, im], spots, halves): ([&[f64]; 2], &[f64], &[f64]),
) -> Vec<Row> {
    let rates = vec![3.3; halves.len()];
    let of = |name: &'static str| (name, engine, set);
    let escaped = || re.iter().zip(im).map(|(re, im)| crate::escape(*re, *im)).collect();
    let roots = || spots.iter().map(|x| crate::root(*x)).collect();
    let iterated = || halves.iter().map(|x| crate::logistic(*x, 3.3)).collect();
    vec![
        row(of("steps of points of the Mandelbrot set"), crate::escape, &[re, im], escaped),
        row(of("square roots by Newton's iteration"), crate::root, &[spots], roots),
        row(of("100 steps of a logistic map"), crate::logistic, &[halves, &rates], iterated),
    ]
}
