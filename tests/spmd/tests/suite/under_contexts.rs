//! Mapped calls under contexts: metadata by element, whatever the number of threads.

use overdub::ad::Reverse;
use overdub::prelude::*;
use overdub::spmd::{MapError, map};
use overdub_count::Count;
use overdub_nan::Nan;
use overdub_trace::Trace;

#[dub]
fn wave(x: f64) -> f64 {
    if x > 1.0 { inner(x) + 1.0 } else { x.ln() }
}

#[dub]
fn inner(x: f64) -> f64 {
    x.sin() * 2.0
}

const XS: [f64; 5] = [0.5, 2.0, 3.0, 0.25, 1.5];

#[test]
fn metadata_come_with_the_element_in_order() -> Result<(), Box<dyn std::error::Error>> {
    let over = map(wave).over((&XS,));
    for threads in [1, 2, 3, 8] {
        let over = map(wave).threads(threads).over((&XS,));
        for ((value, counts), x) in over.under(Count)?.into_iter().zip(XS) {
            let (alone, alone_counts) = overdub(Count, wave, (x,))?;
            assert_eq!((value, counts.to_string()), (alone, alone_counts.to_string()));
        }
        for ((value, tree), x) in over.under(Trace::new())?.into_iter().zip(XS) {
            let (alone, alone_tree) = overdub(Trace::new(), wave, (x,))?;
            let names = |calls: &[overdub_trace::TracedCall]| format!("{}", calls.len());
            assert_eq!((value, names(tree.calls())), (alone, names(alone_tree.calls())));
        }
        // Joined in the order of the elements.
        let log = ctx_with::<Vec<String>>()
            .when(|call| call.calls("sin"))
            .before(|log, _, args| log.push(args[0].to_string()));
        let log: Vec<String> = over.under(log)?.into_iter().flat_map(|(_, log)| log).collect();
        assert_eq!(log, ["2.0", "3.0", "1.5"]);
    }
    assert_eq!(over.under((Count, Nan::new()))?.len(), XS.len());
    Ok(())
}

#[test]
fn a_context_that_stops_an_element_fails_it_alone() -> Result<(), MapError> {
    let xs = [0.5, -1.0, 2.0, -2.0];
    let over = map(wave).threads(2).over((&xs,));
    let Err(MapError::Element { index: 1, error }) = over.under(Nan::new()) else { panic!("it makes a NaN") };
    assert_eq!(error, overdub(Nan::new(), wave, (-1.0,)).unwrap_err());
    let each = over.each().under(Nan::new())?;
    assert_eq!(each.iter().map(Result::is_ok).collect::<Vec<_>>(), [true, false, true, false]);
    Ok(())
}

#[test]
fn derivatives_and_contexts_are_mapped_together() -> Result<(), Box<dyn std::error::Error>> {
    let pulled = map(inner).threads(2).over((&XS,)).under(Reverse)?;
    for ((y, pullback), x) in pulled.iter().zip(XS) {
        assert_eq!((*y, pullback.call(1.0)?), (inner(x), gradient(inner, (x,))?));
    }
    let swapped = map(under(ctx().replace("sin", "cos"), inner)).over((&XS,));
    assert_eq!(swapped.values()?, XS.map(|x| x.cos() * 2.0));
    assert_eq!(swapped.gradients()?, XS.map(|x| (-x.sin() * 2.0,)));
    Ok(())
}
