overdub::source!(self);

overdub::source!();

overdub::source!(crate, with text);

overdub::source!(crate, without text, without paths);

overdub::source!(nothing_of_this_name);

mod inline {
    overdub::source!(self);
}

fn main() {
    overdub::source!(crate);
}
