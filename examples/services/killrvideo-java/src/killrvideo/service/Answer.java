package killrvideo.service;

/** The status and the value of a response, which becomes JSON; null: no body. */
record Answer(int status, Object value) {
    static Answer of(Object value) {
        return new Answer(200, value);
    }

    static Answer created(Object value) {
        return new Answer(201, value);
    }

    static Answer done() {
        return new Answer(204, null);
    }
}
