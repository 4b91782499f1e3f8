//! Mutants of the generator: code with the mistakes that people make by hand. The proof finds each.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::Command;

use codegen::program::{AccessProgram, CommandStep, Send};
use model::sql::ModelFile;
use sim::{ProofOutcome, ProofSettings, ProofSubject};

use super::super::program::DriverProgram;
use super::super::{CodeLanguage, TIME_ZONE, build_driver_program, prove_through};
use super::{NOTES, plan};

/// A mistake.
enum Mutation {
    /// In the program of all languages.
    Program(fn(&mut AccessProgram)),
    /// In the text of the generated Python code, where it occurs once or more often.
    Python(&'static str, &'static str),
}

/// A mutant, and the model that shows it.
struct Mutant {
    name: &'static str,
    model: &'static str,
    mutation: Mutation,
}

const ACTIVITY: &str = include_str!("../../../../../../examples/seeds/000_user_activity.sql");
const PRODUCTS: &str = include_str!("../../../../../../examples/seeds/003_products_by_ids.sql");

/// An INSERT into five tables, whose values are larger than what a batch may have.
const POSTS: &str = "
CREATE TABLE posts (
  postid int PRIMARY KEY,
  author text NOT NULL,
  topic text NOT NULL,
  city text NOT NULL,
  device text NOT NULL,
  embedding vector(256) NOT NULL
);
-- name: Post :one
SELECT * FROM posts WHERE postid = ?;
-- name: PostsOfAuthor :many
SELECT * FROM posts WHERE author = ? ORDER BY postid;
-- name: PostsOnTopic :many
SELECT * FROM posts WHERE topic = ? ORDER BY postid;
-- name: PostsInCity :many
SELECT * FROM posts WHERE city = ? ORDER BY postid;
-- name: PostsOfDevice :many
SELECT * FROM posts WHERE device = ? ORDER BY postid;
-- name: AddPost :exec
INSERT INTO posts (postid, author, topic, city, device, embedding) VALUES (?, ?, ?, ?, ?, ?);
";

const MUTANTS: [Mutant; 7] = [
    Mutant {
        name: "buckets in local time",
        model: ACTIVITY,
        mutation: Mutation::Python(
            "        if self.unit == \"hours\":\n            return moment",
            "        moment -= __import__(\"time\").timezone * 1000\n        if self.unit == \"hours\":\n            return moment",
        ),
    },
    Mutant {
        name: "a null bound as null",
        model: PRODUCTS,
        mutation: Mutation::Program(|program| {
            for send in list_sends(program) {
                send.values.iter_mut().for_each(|value| value.null_is_unset = false);
            }
        }),
    },
    Mutant {
        name: "a copy left out",
        model: NOTES,
        mutation: Mutation::Program(|program| {
            for command in program.commands.iter_mut().filter(|command| command.name == "AddNote") {
                remove_last_send(&mut command.steps);
            }
        }),
    },
    Mutant {
        name: "a chunk lost",
        model: PRODUCTS,
        mutation: Mutation::Python(
            "        results: list[Any] = [None] * len(items)\n        rest = iter(enumerate(items))",
            "        results: list[Any] = [[] for _ in items]\n        rest = iter(list(enumerate(items))[: self.client.options.concurrency])",
        ),
    },
    Mutant {
        name: "a part of a batch lost",
        model: POSTS,
        mutation: Mutation::Python(
            "                if part:\n                    await self._send_part(kind, part, batch)\n                part,",
            "                part,",
        ),
    },
    Mutant {
        name: "a batch not split",
        model: POSTS,
        mutation: Mutation::Python(
            "if size > options.batch_bytes or len(part) >= options.batch_statements:",
            "if False:",
        ),
    },
    Mutant {
        name: "a position that forgets the bucket",
        model: ACTIVITY,
        mutation: Mutation::Python(
            "return Page(rows, encode_token(call.name, number, state))",
            "return Page(rows, None)",
        ),
    },
];

/// All statements that write.
fn list_sends(program: &mut AccessProgram) -> impl Iterator<Item = &mut Send> {
    let steps = program.commands.iter_mut().flat_map(|command| &mut command.steps);
    steps.flat_map(|step| match step {
        CommandStep::Batch { sends, .. } => sends.iter_mut().collect::<Vec<_>>(),
        CommandStep::Send(send) => vec![send],
        CommandStep::Read(_) | CommandStep::Run(_) => Vec::new(),
    })
}

fn remove_last_send(steps: &mut Vec<CommandStep>) {
    match steps.last_mut() {
        Some(CommandStep::Batch { sends, .. }) if sends.len() > 1 => _ = sends.pop(),
        _ => _ = steps.pop(),
    }
}

/// Replaces a text in the files of a folder; how often it was there.
fn replace_in_folder(folder: &Path, from: &str, to: &str) -> usize {
    let mut count = 0;
    for entry in fs::read_dir(folder).expect("it is listed").flatten() {
        let path = entry.path();
        if path.is_dir() {
            count += replace_in_folder(&path, from, to);
        } else if path.extension().is_some_and(|it| it == "py") {
            let text = fs::read_to_string(&path).expect("it is read");
            count += text.matches(from).count();
            fs::write(&path, text.replace(from, to)).expect("it is written");
        }
    }
    count
}

/// Whether the proof of a model passes through Python code with a mutation.
fn is_proven(model: &str, mutation: Option<&Mutation>) -> bool {
    let file: ModelFile = model::sql::read(model, "model").expect("a model file");
    let design = design::design(&file.concept, &file.workload, &design::Options::default());
    let mut schema = design::create_statements::types(&file.concept, &design);
    schema.extend(design::create_statements::tables(&design));
    let (concept, workload) = (&file.concept, &file.workload);
    let subject = ProofSubject { concept, workload, design: &design, schema: &schema };
    let settings = ProofSettings { rows: 200, ..ProofSettings::with_few_runs() };
    let verdict = prove_through(subject, settings, &plan(), &|program, _, folder| {
        let mut program = program.clone();
        if let Some(Mutation::Program(change)) = mutation {
            let before = program.clone();
            change(&mut program);
            assert_ne!(program, before, "the mutation changes nothing");
        }
        let mut command = build_driver_program(CodeLanguage::Python, &program, folder)?;
        if let Some(Mutation::Python(from, to)) = mutation {
            assert!(replace_in_folder(folder, from, to) > 0, "nothing to change: {from}");
        }
        command.current_dir(folder).env("TZ", TIME_ZONE);
        Ok(Box::new(move || DriverProgram::start(&mut command)))
    });
    match verdict.expect("it is run").result {
        Ok(proof) => proof.outcome() == ProofOutcome::Passed,
        // The code ends with an error that is not of the server.
        Err(failure) => panic!("{failure:?}"),
    }
}

#[test]
fn mutants_of_the_generator_are_caught() {
    let python = Command::new("python3").arg("--version").output();
    if !python.is_ok_and(|output| output.status.success()) {
        // Past the capture of the test harness.
        let _ = writeln!(std::io::stderr(), "SKIPPED: mutants of generated code: no `python3`");
        return;
    }
    for model in [NOTES, ACTIVITY, PRODUCTS, POSTS] {
        assert!(is_proven(model, None), "without a mutation: {model}");
    }
    let survivors: Vec<_> = MUTANTS
        .iter()
        .filter(|mutant| is_proven(mutant.model, Some(&mutant.mutation)))
        .map(|mutant| mutant.name)
        .collect();
    assert!(survivors.is_empty(), "not caught: {survivors:?}");
}
