//! The options of `helenus serve`: from the command line, the environment and a file.

use std::fs;

use super::process::{ServerProcess, connect, rows, temporary_folder};

#[test]
fn files_run_before_the_first_connection_and_programs_learn_the_port() {
    let folder = temporary_folder("serve-init");
    let schema = folder.join("schema");
    fs::create_dir(&schema).unwrap();
    // The second file uses what the first one makes.
    fs::write(
        schema.join("V1__schema.cql"),
        "CREATE KEYSPACE app WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1};\n\
         CREATE TABLE app.users (id int PRIMARY KEY, name text);\n",
    )
    .unwrap();
    fs::write(
        schema.join("V2__data.cql"),
        "INSERT INTO app.users (id, name) VALUES (1, 'Kassandra');\n",
    )
    .unwrap();
    let port_file = folder.join("port");
    fs::write(&port_file, "1\n").unwrap();
    let server = ServerProcess::start(
        &["--json", "--init", schema.to_str().unwrap(), "--port-file", port_file.to_str().unwrap()],
        &[("HELENUS_PORT", "0")],
    );
    let ready: serde_json::Value = serde_json::from_str(&server.ready).expect("the line is JSON");
    let port = u16::try_from(ready["port"].as_u64().unwrap()).unwrap();
    assert_eq!(ready["address"], "127.0.0.1");
    assert_eq!(ready["data"], serde_json::Value::Null);
    assert_eq!(ready["version"], env!("CARGO_PKG_VERSION"));
    assert!(ready["protocolVersions"].as_array().unwrap().contains(&4.into()));
    assert_eq!(fs::read_to_string(&port_file).unwrap(), format!("{port}\n"));
    let names = rows(&mut connect(port), "SELECT name FROM app.users WHERE id = 1");
    assert_eq!(names, [[Some(b"Kassandra".to_vec())]]);
    let (code, _, errors) = server.stop();
    assert_eq!((code, errors.as_str()), (Some(0), ""));
    assert!(!port_file.exists(), "the port file is removed at the end");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn arguments_take_precedence_over_variables_and_these_over_the_file() {
    let folder = temporary_folder("serve-config");
    let file = folder.join("cassandra.yaml");
    fs::write(
        &file,
        "cluster_name: Troy\nnative_transport_port: 1\nauthenticator: PasswordAuthenticator\n\
         num_tokens: 16\n",
    )
    .unwrap();
    let server = ServerProcess::start(
        &["--port", "0", "--config", file.to_str().unwrap()],
        &[("HELENUS_PORT", "2"), ("HELENUS_AUTH", "no")],
    );
    let port = server.ready.split(['(', ' ']).find_map(|word| word.strip_prefix("127.0.0.1:"));
    let port: u16 = port.unwrap().parse().unwrap();
    assert!(port > 2, "{}", server.ready);
    let cluster = rows(&mut connect(port), "SELECT cluster_name FROM system.local");
    assert_eq!(cluster, [[Some(b"Troy".to_vec())]]);
    let (code, _, errors) = server.stop();
    assert_eq!(code, Some(0));
    assert_eq!(errors, format!("warning: {}: without effect: num_tokens\n", file.display()));
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn the_files_of_init_need_no_login() {
    let folder = temporary_folder("serve-init-auth");
    let file = folder.join("roles.cql");
    fs::write(&file, "CREATE ROLE paris WITH PASSWORD = 'helen' AND LOGIN = true;\n").unwrap();
    let server =
        ServerProcess::start(&["--port", "0", "--auth", "--init", file.to_str().unwrap()], &[]);
    assert!(server.ready.starts_with("listening on 127.0.0.1:"), "{}", server.ready);
    assert_eq!(server.stop().0, Some(0));
    fs::remove_dir_all(folder).unwrap();
}
