//! The text form: a text that parses and verifies is printed as one that parses to the same, and nothing
//! panics.

use overdub_context::text::{Listing, ParseErrors, Parser};
use overdub_context::verify::verify_module;

/// The law for a text.
pub fn check(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let parser = Parser::new();
    match parser.parse_unverified(text) {
        Ok(listing) => check_listing(&parser, &listing),
        Err(errors) => check_errors(text, &errors),
    }
    if let Err(errors) = parser.parse(text) {
        check_errors(text, &errors);
    }
}

fn check_listing(parser: &Parser, listing: &Listing) {
    let valid = verify_module(&listing.module()).is_ok();
    let printed = listing.to_string();
    let reparsed = parser
        .parse_unverified(&printed)
        .unwrap_or_else(|errors| panic!("what was printed does not parse:\n{errors}\nof\n{printed}"));
    assert_eq!(reparsed.funcs, listing.funcs, "it prints as something else:\n{printed}");
    assert_eq!(reparsed.to_string(), printed);
    assert_eq!(verify_module(&reparsed.module()).is_ok(), valid, "only one of them verifies:\n{printed}");
}

/// Checks that errors are located in the text and can be shown.
fn check_errors(text: &str, errors: &ParseErrors) {
    let lines = text.split('\n').count();
    assert!(errors.iter().count() > 0, "refused without an error");
    for error in errors.iter() {
        assert!((1..=lines).contains(&(error.span.line as usize)), "outside of the text: {error}");
        assert!(!error.to_string().is_empty());
    }
}
