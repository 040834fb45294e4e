//! One test for each folder of cases.

use overdub_tests::{check_folder, check_passes, folders};

macro_rules! folder_tests {
    ($($folder:ident)*) => {
        $(
            #[test]
            fn $folder() {
                if let Err(report) = check_folder(stringify!($folder)) {
                    panic!("{report}");
                }
            }
        )*

        #[test]
        fn every_folder_of_cases_is_tested() {
            let tested: Vec<String> = [$(stringify!($folder)),*].map(str::to_owned).into();
            assert_eq!(folders().expect("the folder of cases can be read"), tested);
        }
    };
}

#[test]
fn each_pass_alone_keeps_what_cases_claim() {
    let folders = folders().expect("the folder of cases can be read");
    let reports: Vec<String> = folders.iter().filter_map(|folder| check_passes(folder).err()).collect();
    assert!(reports.is_empty(), "{}", reports.concat());
}

folder_tests!(grad lower native overdub parse pass run verify);
