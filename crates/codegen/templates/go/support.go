package access

import (
	"bytes"
)

// Access runs the reads and writes of the model. It is safe for concurrent use.
type Access struct {
	session *gocql.Session
	options Options
}

// Options says how statements are run. The zero value has the defaults.
type Options struct {
	// Concurrency is the most statements that one call has under way; 0: 50.
	Concurrency int
	// PageSize is the number of rows that the server sends at once; 0: that of the session.
	PageSize int
	// Timeout is the longest that a single statement may take; 0: that of the session.
	Timeout time.Duration
	// Attempts is how often a write is tried whose row other clients change meanwhile; 0: 3.
	Attempts int
	// BatchStatements is the most statements of a batch; 0: 100.
	BatchStatements int
	// BatchBytes is about the most bytes of a batch; 0: 40,000. Cassandra refuses batches above 50 KiB.
	BatchBytes int
	// Clock tells the time; nil: time.Now. Tests can replace it.
	Clock func() time.Time
	// Observer is told about calls and statements; nil: nobody is.
	Observer Observer
}

// NewAccess returns the functions of the model on a session, which stays the caller's to close. The
// keyspace of the session is that of the tables.
func NewAccess(session *gocql.Session, options Options) *Access {
	if options.Concurrency <= 0 {
		options.Concurrency = 50
	}
	if options.Attempts <= 0 {
		options.Attempts = 3
	}
	if options.BatchStatements <= 0 {
		options.BatchStatements = 100
	}
	if options.BatchBytes <= 0 {
		options.BatchBytes = 40_000
	}
	if options.Clock == nil {
		options.Clock = time.Now
	}
	return &Access{session: session, options: options}
}

// Observer is told about every call of a function and every statement that it sends. It returns
// the context in which the work goes on, and what is called at its end.
type Observer interface {
	StartCall(ctx context.Context, name string) (context.Context, func(CallResult))
	StartStatement(ctx context.Context, statement StatementInfo) (context.Context, func(error))
}

// StatementInfo names a statement that is sent.
type StatementInfo struct {
	// Call is the name of the query or write in the model.
	Call string
	// Table is the table of the statement; of a batch, that of its first statement.
	Table string
	// CQL is the text of the statement.
	CQL string
}

// CallResult is what became of a call.
type CallResult struct {
	// Outcome is what became of a write; empty for a read or a failure.
	Outcome Outcome
	// Err is the error that the function returned.
	Err error
}

// Outcome is what became of a write.
type Outcome string

// The outcomes of a write.
const (
	// Applied: it was done.
	Applied Outcome = "applied"
	// Refused: a condition did not hold, and nothing was changed.
	Refused Outcome = "refused"
	// Violated: a constraint does not hold, and nothing was changed.
	Violated Outcome = "violation"
	// Interrupted: a condition did not hold after a part that cannot be undone.
	Interrupted Outcome = "interrupted"
)

// LogObserver writes a record for every call and statement, on the level debug; failures on the
// level error.
type LogObserver struct {
	// Logger receives the records.
	Logger *slog.Logger
}

// StartCall is called by the functions.
func (o LogObserver) StartCall(ctx context.Context, name string) (context.Context, func(CallResult)) {
	start := time.Now()
	return ctx, func(result CallResult) {
		o.log(ctx, "call", result.Err, slog.String("name", name), slog.String("outcome", string(result.Outcome)), slog.Duration("duration", time.Since(start)))
	}
}

// StartStatement is called by the functions.
func (o LogObserver) StartStatement(ctx context.Context, statement StatementInfo) (context.Context, func(error)) {
	start := time.Now()
	return ctx, func(err error) {
		o.log(ctx, "statement", err, slog.String("name", statement.Call), slog.String("table", statement.Table), slog.Duration("duration", time.Since(start)))
	}
}

func (o LogObserver) log(ctx context.Context, what string, err error, attributes ...slog.Attr) {
	level := slog.LevelDebug
	if err != nil {
		level = slog.LevelError
		attributes = append(attributes, slog.Any("error", err))
	}
	o.Logger.LogAttrs(ctx, level, what, attributes...)
}

// StatementError is the failure of a statement.
type StatementError struct {
	// Query is the name of the query or write in the model.
	Query string
	// Table is the table of the statement.
	Table string
	// CQL is the text of the statement.
	CQL string
	// Err is the error of the driver.
	Err error
}

// Error describes it.
func (e *StatementError) Error() string {
	return fmt.Sprintf("%s: on table %s: %v (%s)", e.Query, e.Table, e.Err, e.CQL)
}

// Unwrap returns the error of the driver.
func (e *StatementError) Unwrap() error {
	return e.Err
}

// ConstraintViolation says that a write was not done because a constraint does not hold.
type ConstraintViolation struct {
	// Query is the name of the write in the model.
	Query string
	// Constraint is the constraint as SQL declares it, or what is taken.
	Constraint string
}

// Error describes it.
func (e *ConstraintViolation) Error() string {
	return fmt.Sprintf("%s: violates %s", e.Query, e.Constraint)
}

// PartialWrite says that a write ended after a part of it was applied.
type PartialWrite struct {
	// Query is the name of the write in the model.
	Query string
	// Applied are the statements that were applied and not undone.
	Applied []string
	// Failed is the statement that was not applied.
	Failed string
	// Err is why; nil where a condition did not hold.
	Err error
}

// Error describes it.
func (e *PartialWrite) Error() string {
	text := fmt.Sprintf("%s: %s was not applied, after %s", e.Query, e.Failed, strings.Join(e.Applied, "; "))
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

// Unwrap returns why it ended.
func (e *PartialWrite) Unwrap() error {
	return e.Err
}

// ValueError is a value that cannot be used: nil where a value is needed, a number out of range, a
// position of another query.
type ValueError struct {
	// Query is the name of the query or write in the model.
	Query string
	// Problem says what is wrong.
	Problem string
}

// Error describes it.
func (e *ValueError) Error() string {
	return e.Query + ": " + e.Problem
}

// statement is a statement that the driver prepares when it is first sent.
type statement struct {
	table       string
	cql         string
	consistency gocql.Consistency
	idempotent  bool
}

// call is one call of a function.
type call struct {
	access  *Access
	name    string
	slots   chan struct{}
	outcome Outcome
	done    func(CallResult)
}

func (a *Access) begin(ctx context.Context, name string) (context.Context, *call) {
	c := &call{access: a, name: name}
	if a.options.Observer != nil {
		ctx, c.done = a.options.Observer.StartCall(ctx, name)
	}
	return ctx, c
}

// end is deferred. It makes an error of a value that could not be computed.
func (c *call) end(err *error) {
	if cause := recover(); cause != nil {
		*err = c.valueError(cause)
	}
	if c.done != nil {
		c.done(CallResult{Outcome: c.outcome, Err: *err})
	}
}

// valueError is the error for a value that could not be computed; it panics with all other causes.
func (c *call) valueError(cause any) error {
	problem, ok := cause.(valueProblem)
	if !ok {
		panic(cause)
	}
	return &ValueError{Query: c.name, Problem: string(problem)}
}

// valueProblem is what computations panic with.
type valueProblem string

func (c *call) requireValue(isNil bool, parameter string) error {
	if isNil {
		return &ValueError{Query: c.name, Problem: parameter + " must not be nil"}
	}
	return nil
}

// now is the current time in UTC, in the precision of timestamps.
func (a *Access) now() time.Time {
	return a.options.Clock().UTC().Truncate(time.Millisecond)
}

// exactNow is the current time in UTC.
func (a *Access) exactNow() time.Time {
	return a.options.Clock().UTC()
}

// start prepares the context of a statement; the function that it returns ends the statement.
func (c *call) start(ctx context.Context, s *statement) (context.Context, func(error) error) {
	slots := c.slots
	if slots != nil {
		slots <- struct{}{}
	}
	cancel := func() {}
	if timeout := c.access.options.Timeout; timeout > 0 {
		ctx, cancel = context.WithTimeout(ctx, timeout)
	}
	var observed func(error)
	if observer := c.access.options.Observer; observer != nil {
		ctx, observed = observer.StartStatement(ctx, StatementInfo{Call: c.name, Table: s.table, CQL: s.cql})
	}
	return ctx, func(err error) error {
		cancel()
		if slots != nil {
			<-slots
		}
		if observed != nil {
			observed(err)
		}
		if err != nil {
			return &StatementError{Query: c.name, Table: s.table, CQL: s.cql, Err: err}
		}
		return nil
	}
}

func (c *call) query(s *statement, values []any) *gocql.Query {
	query := c.access.session.Query(s.cql, values...).Consistency(s.consistency).Idempotent(s.idempotent)
	if c.access.options.PageSize > 0 {
		query = query.PageSize(c.access.options.PageSize)
	}
	return query
}

// execute sends a statement that returns nothing.
func (c *call) execute(ctx context.Context, s *statement, values ...any) error {
	ctx, finish := c.start(ctx, s)
	return finish(c.query(s, values).ExecContext(ctx))
}

// executeIf sends a conditional statement and tells whether it was applied.
func (c *call) executeIf(ctx context.Context, s *statement, values ...any) (bool, error) {
	ctx, finish := c.start(ctx, s)
	iter := c.query(s, values).NoSkipMetadata().IterContext(ctx)
	applied := true
	var fields []any
	for _, column := range iter.Columns() {
		fields = append(fields, nil)
		if tuple, ok := column.TypeInfo.(gocql.TupleTypeInfo); ok && len(tuple.Elems) > 0 {
			fields = append(fields, make([]any, len(tuple.Elems)-1)...)
		}
	}
	if len(fields) > 0 && iter.Columns()[0].Name == "[applied]" {
		fields[0] = &applied
		iter.Scan(fields...)
	}
	return applied, finish(iter.Close())
}

// scannedRow is a row with the places of its columns, in the order of the statement.
type scannedRow[R any] interface {
	*R
	columns() []any
}

// fetchOne returns the first row of a statement, nil without one.
func fetchOne[R any, P scannedRow[R]](ctx context.Context, c *call, s *statement, values ...any) (*R, error) {
	ctx, finish := c.start(ctx, s)
	iter := c.query(s, values).IterContext(ctx)
	row := new(R)
	found := iter.Scan(P(row).columns()...)
	if err := finish(iter.Close()); err != nil || !found {
		return nil, err
	}
	return row, nil
}

// fetchRows returns the rows of a statement.
func fetchRows[R any, P scannedRow[R]](ctx context.Context, c *call, s *statement, values ...any) ([]R, error) {
	ctx, finish := c.start(ctx, s)
	iter := c.query(s, values).IterContext(ctx)
	rows := make([]R, 0, iter.NumRows())
	for {
		var row R
		if !iter.Scan(P(&row).columns()...) {
			break
		}
		rows = append(rows, row)
	}
	if err := finish(iter.Close()); err != nil {
		return nil, err
	}
	return rows, nil
}

// fetchItems returns the rows of a statement for further work.
func fetchItems[R any, P scannedRow[R]](ctx context.Context, c *call, s *statement, values ...any) ([]*R, error) {
	ctx, finish := c.start(ctx, s)
	iter := c.query(s, values).IterContext(ctx)
	items := make([]*R, 0, iter.NumRows())
	for {
		item := new(R)
		if !iter.Scan(P(item).columns()...) {
			break
		}
		items = append(items, item)
	}
	if err := finish(iter.Close()); err != nil {
		return nil, err
	}
	return items, nil
}

// fetchPage returns a page of the rows of a statement, and the position after it.
func fetchPage[R any, P scannedRow[R]](ctx context.Context, c *call, s *statement, size int, state []byte, values ...any) ([]*R, []byte, error) {
	ctx, finish := c.start(ctx, s)
	iter := c.query(s, values).PageSize(size).PageState(state).IterContext(ctx)
	next := iter.PageState()
	items := make([]*R, 0, iter.NumRows())
	for left := iter.NumRows(); left > 0; left-- {
		item := new(R)
		if !iter.Scan(P(item).columns()...) {
			break
		}
		items = append(items, item)
	}
	if err := finish(iter.Close()); err != nil {
		return nil, nil, err
	}
	return items, next, nil
}

// pagePosition is the place after a page, as its token holds it.
type pagePosition struct {
	bucket  int64
	started bool
	state   []byte
}

const pageVersion = "1"

// encodePage makes the token of a position.
func (c *call) encodePage(position pagePosition) string {
	text := fmt.Sprintf("%s\n%s\n%d\n", pageVersion, c.name, position.bucket)
	return base64.RawURLEncoding.EncodeToString(append([]byte(text), position.state...))
}

// decodePage reads a token; an empty one is the start.
func (c *call) decodePage(token string) (pagePosition, error) {
	if token == "" {
		return pagePosition{}, nil
	}
	text, err := base64.RawURLEncoding.DecodeString(token)
	parts := bytes.SplitN(text, []byte("\n"), 4)
	if err != nil || len(parts) != 4 || string(parts[0]) != pageVersion || string(parts[1]) != c.name {
		return pagePosition{}, &ValueError{Query: c.name, Problem: "the token is not a position of this query"}
	}
	bucket, err := strconv.ParseInt(string(parts[2]), 10, 64)
	if err != nil {
		return pagePosition{}, &ValueError{Query: c.name, Problem: "the token is not a position of this query"}
	}
	return pagePosition{bucket: bucket, started: true, state: parts[3]}, nil
}

// parallel runs work for each number below the count, so many at once as the options allow, and
// returns the first error.
func parallel(ctx context.Context, c *call, count int, run func(ctx context.Context, at int) error) error {
	if c.slots == nil {
		c.slots = make(chan struct{}, c.access.options.Concurrency)
	}
	if count == 1 {
		return run(ctx, 0)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var next atomic.Int64
	var failure error
	var once sync.Once
	var workers sync.WaitGroup
	for range min(count, c.access.options.Concurrency) {
		workers.Add(1)
		go func() {
			defer workers.Done()
			for at := int(next.Add(1)) - 1; at < count; at = int(next.Add(1)) - 1 {
				if err := runSafely(ctx, c, at, run); err != nil {
					once.Do(func() { failure = err })
					cancel()
					return
				}
			}
		}()
	}
	workers.Wait()
	return failure
}

func runSafely(ctx context.Context, c *call, at int, run func(ctx context.Context, at int) error) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = c.valueError(cause)
		}
	}()
	if err := ctx.Err(); err != nil {
		return err
	}
	return run(ctx, at)
}

// runAll runs tasks in parallel and returns their results, one after the other.
func runAll[T any](ctx context.Context, c *call, tasks []func(context.Context) ([]T, error)) ([]T, error) {
	results := make([][]T, len(tasks))
	err := parallel(ctx, c, len(tasks), func(ctx context.Context, at int) error {
		result, err := tasks[at](ctx)
		results[at] = result
		return err
	})
	if err != nil {
		return nil, err
	}
	return slices.Concat(results...), nil
}

// bucketWalk is a walk over buckets, which are counted.
type bucketWalk struct {
	from        *int64
	to          int64
	newestFirst bool
	readsNewest bool
	stops       bool
	limit       int
	ahead       int
	ends        func(ctx context.Context) (oldest, newest *int64, err error)
}

// maxBuckets is more than any walk needs: one that is longer has a wrong bound.
const maxBuckets = 1_000_000

// prepare finds the ends of the walk that are needed before the first bucket; false: there is none.
func (w *bucketWalk) prepare(ctx context.Context) (bool, error) {
	needsOldest := w.from == nil && (!w.newestFirst || !w.stops)
	if w.readsNewest || needsOldest {
		oldest, newest, err := w.readEnds(ctx)
		if err != nil || oldest == nil || w.readsNewest && newest == nil {
			return false, err
		}
		w.from = greatest(w.from, oldest)
		if w.readsNewest {
			w.to = min(w.to, *newest)
		}
	}
	return w.from == nil || *w.from <= w.to, nil
}

func (w *bucketWalk) readEnds(ctx context.Context) (oldest, newest *int64, err error) {
	if w.ends == nil {
		return nil, nil, nil
	}
	return w.ends(ctx)
}

// first is the bucket where it begins.
func (w *bucketWalk) first() int64 {
	if w.newestFirst {
		return w.to
	}
	return *w.from
}

// after is the bucket after so many steps; false where the walk is at its end.
func (w *bucketWalk) after(number, steps int64) (int64, bool) {
	if w.newestFirst {
		number -= steps
		return number, w.from == nil || number >= *w.from
	}
	number += steps
	return number, number <= w.to
}

// walkBuckets reads the buckets of a walk. The rows of a bucket follow those of the one before in the
// stream of the same position.
func walkBuckets[T any](ctx context.Context, c *call, w bucketWalk, read func(ctx context.Context, number int64) ([][]T, error)) ([][]T, error) {
	goesOn, err := w.prepare(ctx)
	if err != nil || !goesOn {
		return nil, err
	}
	group := int64(max(w.ahead, 1))
	if !w.stops {
		group = w.to - *w.from + 1
		if group > maxBuckets || group <= 0 {
			panic(valueProblem("the bounds span too many buckets"))
		}
	}
	var streams [][]T
	number := w.first()
	for goesOn {
		var tasks []func(context.Context) ([][][]T, error)
		for at := range group {
			bucket, isInside := w.after(number, at)
			if !isInside {
				break
			}
			tasks = append(tasks, func(ctx context.Context) ([][][]T, error) {
				found, err := read(ctx, bucket)
				return [][][]T{found}, err
			})
		}
		found, err := runAll(ctx, c, tasks)
		if err != nil {
			return nil, err
		}
		rows := 0
		for _, next := range found {
			for at, stream := range next {
				if at == len(streams) {
					streams = append(streams, nil)
				}
				streams[at] = append(streams[at], stream...)
			}
		}
		for _, stream := range streams {
			rows += len(stream)
		}
		if w.stops && rows >= w.limit {
			break
		}
		if w.from == nil {
			if w.from, _, err = w.readEnds(ctx); err != nil || w.from == nil {
				return streams, err
			}
		}
		number, goesOn = w.after(number, group)
	}
	return streams, nil
}

// listBuckets are the numbers of the buckets between bounds; none where a bound is null or there is no
// lower one. The recorded ends narrow them.
func listBuckets(to, oldest, newest *int64, bounds ...*int64) []int64 {
	if to == nil || slices.Contains(bounds, nil) {
		return nil
	}
	from, last := oldest, *to
	for _, bound := range bounds {
		from = greatest(from, bound)
	}
	if newest != nil {
		last = min(last, *newest)
	}
	if from == nil || *from > last {
		return nil
	}
	if last-*from >= maxBuckets {
		panic(valueProblem("the bounds span too many buckets"))
	}
	var numbers []int64
	for number := *from; number <= last; number++ {
		numbers = append(numbers, number)
	}
	return numbers
}

// greatest is the greater of two numbers; nil counts as none.
func greatest(one, other *int64) *int64 {
	if one == nil || other != nil && *other > *one {
		return other
	}
	return one
}

// walkPage reads a page of a walk over buckets, from a position on.
func walkPage[T any](ctx context.Context, w bucketWalk, size int, position pagePosition, read func(ctx context.Context, number int64, size int, state []byte) ([]T, []byte, error)) ([]T, *pagePosition, error) {
	goesOn, err := w.prepare(ctx)
	if err != nil || !goesOn {
		return nil, nil, err
	}
	number, state := position.bucket, position.state
	if !position.started {
		number = w.first()
	}
	var rows []T
	for {
		found, next, err := read(ctx, number, size-len(rows), state)
		if err != nil {
			return nil, nil, err
		}
		rows, state = append(rows, found...), next
		if len(next) == 0 {
			if w.from == nil {
				if w.from, _, err = w.readEnds(ctx); err != nil || w.from == nil {
					return rows, nil, err
				}
			}
			if number, goesOn = w.after(number, 1); !goesOn {
				return rows, nil, nil
			}
		}
		if len(rows) >= size {
			return rows, &pagePosition{bucket: number, state: state}, nil
		}
	}
}

// mergeStreams merges sorted streams.
func mergeStreams[T any](streams [][]T, compare func(one, other T) int) []T {
	var merged []T
	for {
		least := -1
		for at, stream := range streams {
			if len(stream) > 0 && (least < 0 || compare(stream[0], streams[least][0]) < 0) {
				least = at
			}
		}
		if least < 0 {
			return merged
		}
		merged = append(merged, streams[least][0])
		streams[least] = streams[least][1:]
	}
}

// keepFirst returns the first rows; a negative number keeps all.
func keepFirst[T any](rows []T, limit int) []T {
	if limit >= 0 && limit < len(rows) {
		return rows[:limit]
	}
	return rows
}

// keepRows returns the rows that meet a condition.
func keepRows[T any](rows []T, isKept func(row T) bool) []T {
	kept := rows[:0]
	for _, row := range rows {
		if isKept(row) {
			kept = append(kept, row)
		}
	}
	return kept
}

// firstOf returns the first row, or one of nulls.
func firstOf[R any](rows []*R) *R {
	if len(rows) > 0 {
		return rows[0]
	}
	return new(R)
}

// groupRows divides rows by their keys, in the order of their first rows.
func groupRows[T any](rows []T, key func(row T) string) [][]T {
	var groups [][]T
	positions := make(map[string]int)
	for _, row := range rows {
		own := key(row)
		at, isKnown := positions[own]
		if !isKnown {
			at = len(groups)
			positions[own] = at
			groups = append(groups, nil)
		}
		groups[at] = append(groups[at], row)
	}
	return groups
}

// distinct returns each value once.
func distinct[T any](values []T) []T {
	seen := make(map[string]bool, len(values))
	kept := make([]T, 0, len(values))
	for _, value := range values {
		key := keyOf(value)
		if !seen[key] {
			seen[key] = true
			kept = append(kept, value)
		}
	}
	return kept
}

// present returns the values that are not null.
func present[T any](values ...*T) []T {
	var kept []T
	for _, value := range values {
		if value != nil {
			kept = append(kept, *value)
		}
	}
	return kept
}

// keyOf is a text that is the same for equal values, and differs for others.
func keyOf(values ...any) string {
	var key strings.Builder
	for _, value := range values {
		reflected := reflect.ValueOf(value)
		for reflected.Kind() == reflect.Pointer && !reflected.IsNil() {
			switch reflected.Interface().(type) {
			case *inf.Dec, *big.Int:
			default:
				value = reflected.Elem().Interface()
				reflected = reflected.Elem()
				continue
			}
			break
		}
		text := ""
		switch typed := value.(type) {
		case nil:
		case string:
			text = "=" + typed
		case time.Time:
			text = fmt.Sprint("=", typed.UnixMilli())
		case *inf.Dec:
			if typed != nil {
				text = "=" + trimZeros(typed).String()
			}
		default:
			isNil := slices.Contains([]reflect.Kind{reflect.Pointer, reflect.Slice, reflect.Map}, reflected.Kind()) && reflected.IsNil()
			if !isNil {
				text = fmt.Sprintf("=%v", value)
			}
		}
		fmt.Fprintf(&key, "%d%s", len(text), text)
	}
	return key.String()
}

// ptr returns a pointer to a value.
func ptr[T any](value T) *T {
	return &value
}

// deref returns what a pointer points to, nil (or zero) without anything.
func deref[T any](value *T) T {
	if value == nil {
		var none T
		return none
	}
	return *value
}

// refSlice returns a pointer to a slice, nil for nil.
func refSlice[S ~[]T, T any](value S) *S {
	if value == nil {
		return nil
	}
	return &value
}

// refMap returns a pointer to a map, nil for nil.
func refMap[M ~map[K]V, K comparable, V any](value M) *M {
	if value == nil {
		return nil
	}
	return &value
}

// refPointer returns a pointer to a pointer, nil for nil.
func refPointer[T any](value *T) **T {
	if value == nil {
		return nil
	}
	return &value
}

// apply computes a value of another one; null of null.
func apply[A, R any](value *A, compute func(value A) R) *R {
	if value == nil {
		return nil
	}
	return ptr(compute(*value))
}

// apply2 computes a value of two others; null where one is null.
func apply2[A, B, R any](one *A, other *B, compute func(one A, other B) R) *R {
	if one == nil || other == nil {
		return nil
	}
	return ptr(compute(*one, *other))
}

// coalesce returns the first value that is not null.
func coalesce[T any](values ...*T) *T {
	for _, value := range values {
		if value != nil {
			return value
		}
	}
	return nil
}

// orUnset is a value to bind; nothing is written where it is null.
func orUnset[T any](value *T) any {
	if value == nil {
		return gocql.UnsetValue
	}
	return *value
}

// unsetSlice is a slice to bind; nothing is written where it is nil.
func unsetSlice[S ~[]T, T any](value S) any {
	if value == nil {
		return gocql.UnsetValue
	}
	return value
}

// unsetMap is a map to bind; nothing is written where it is nil.
func unsetMap[M ~map[K]V, K comparable, V any](value M) any {
	if value == nil {
		return gocql.UnsetValue
	}
	return value
}

// isEqual and those below say which orders a comparison accepts.
func isEqual(order int) bool { return order == 0 }

func isDifferent(order int) bool { return order != 0 }

func isLess(order int) bool { return order < 0 }

func isAtMost(order int) bool { return order <= 0 }

func isGreater(order int) bool { return order > 0 }

func isAtLeast(order int) bool { return order >= 0 }

// compared is SQL's comparison: null where a value is null.
func compared[T any](one, other *T, compare func(one, other T) int, accepts func(order int) bool) *bool {
	if one == nil || other == nil {
		return nil
	}
	return ptr(accepts(compare(*one, *other)))
}

// holds tells whether a comparison holds; it does not for null.
func holds[T any](one, other *T, compare func(one, other T) int, accepts func(order int) bool) bool {
	return one != nil && other != nil && accepts(compare(*one, *other))
}

// compareNullable is the order of values that may be null: null is the greatest.
func compareNullable[T any](one, other *T, compare func(one, other T) int) int {
	switch {
	case one == nil && other == nil:
		return 0
	case one == nil:
		return 1
	case other == nil:
		return -1
	}
	return compare(*one, *other)
}

// rowComparison is the comparison of a pair of a row comparison; false where a value is null.
type rowComparison func() (order int, isKnown bool)

func pairOf[T any](one, other *T, compare func(one, other T) int) rowComparison {
	return func() (int, bool) {
		if one == nil || other == nil {
			return 0, false
		}
		return compare(*one, *other), true
	}
}

// rowHolds compares rows: the first pair that differs decides.
func rowHolds(accepts func(order int) bool, pairs ...rowComparison) bool {
	for _, pair := range pairs {
		order, isKnown := pair()
		if !isKnown {
			return false
		}
		if order != 0 {
			return accepts(order)
		}
	}
	return accepts(0)
}

// contains tells whether an array holds an element.
func contains[T any](array []T, element *T, compare func(one, other T) int) bool {
	return element != nil && slices.ContainsFunc(array, func(other T) bool { return compare(other, *element) == 0 })
}

// both is SQL's AND.
func both(one, other *bool) *bool {
	if one != nil && !*one || other != nil && !*other {
		return ptr(false)
	}
	if one == nil || other == nil {
		return nil
	}
	return ptr(true)
}

// either is SQL's OR.
func either(one, other *bool) *bool {
	if one != nil && *one || other != nil && *other {
		return ptr(true)
	}
	if one == nil || other == nil {
		return nil
	}
	return ptr(false)
}

// isMet tells whether a truth value is true or null, and can be computed.
func isMet(compute func() *bool) (met bool) {
	defer func() {
		if cause := recover(); cause != nil {
			if _, ok := cause.(valueProblem); !ok {
				panic(cause)
			}
			met = false
		}
	}()
	truth := compute()
	return truth == nil || *truth
}

// branch is a part of a CASE.
type branch[T any] struct {
	when func() *bool
	then func() *T
}

// choose is SQL's CASE.
func choose[T any](otherwise func() *T, branches ...branch[T]) *T {
	for _, one := range branches {
		if truth := one.when(); truth != nil && *truth {
			return one.then()
		}
	}
	return otherwise()
}

// extreme returns the least or greatest value; nulls do not count.
func extreme[T any](compare func(one, other T) int, wins func(order int) bool, values ...*T) *T {
	var best *T
	for _, value := range values {
		if value != nil && (best == nil || wins(compare(*value, *best))) {
			best = value
		}
	}
	return best
}

// negate is the opposite of a truth value.
func negate(truth bool) bool {
	return !truth
}

// integer is a type of whole numbers.
type integer interface {
	~int8 | ~int16 | ~int32 | ~int64
}

// narrow converts a whole number to another width.
func narrow[T integer](number int64) T {
	result := T(number)
	if int64(result) != number {
		panic(valueProblem("a number is out of range"))
	}
	return result
}

func addIntegers[T integer](one, other T) T {
	sum := new(big.Int).Add(big.NewInt(int64(one)), big.NewInt(int64(other)))
	return narrow[T](integerOf(sum))
}

func subtractIntegers[T integer](one, other T) T {
	difference := new(big.Int).Sub(big.NewInt(int64(one)), big.NewInt(int64(other)))
	return narrow[T](integerOf(difference))
}

func multiplyIntegers[T integer](one, other T) T {
	product := new(big.Int).Mul(big.NewInt(int64(one)), big.NewInt(int64(other)))
	return narrow[T](integerOf(product))
}

func absoluteInteger[T integer](number T) T {
	if number < 0 {
		return subtractIntegers(0, number)
	}
	return number
}

func absoluteDecimal(number *inf.Dec) *inf.Dec {
	return new(inf.Dec).Abs(number)
}

// integerOf is a varint as a number of 64 bits.
func integerOf(number *big.Int) int64 {
	if !number.IsInt64() {
		panic(valueProblem("a number is out of range"))
	}
	return number.Int64()
}

// varintOf is a varint in digits.
func varintOf(digits string) *big.Int {
	number, _ := new(big.Int).SetString(digits, 10)
	return number
}

// decimalOf is a decimal of its digits and the number of those after the point.
func decimalOf(digits string, scale inf.Scale) *inf.Dec {
	return inf.NewDecBig(varintOf(digits), scale)
}

func addDecimals(one, other *inf.Dec) *inf.Dec {
	return new(inf.Dec).Add(one, other)
}

func subtractDecimals(one, other *inf.Dec) *inf.Dec {
	return new(inf.Dec).Sub(one, other)
}

func multiplyDecimals(one, other *inf.Dec) *inf.Dec {
	return new(inf.Dec).Mul(one, other)
}

func addVarints(one, other *big.Int) *big.Int {
	return new(big.Int).Add(one, other)
}

func subtractVarints(one, other *big.Int) *big.Int {
	return new(big.Int).Sub(one, other)
}

func multiplyVarints(one, other *big.Int) *big.Int {
	return new(big.Int).Mul(one, other)
}

// roundDecimal rounds to so many digits after the point, halves away from zero.
func roundDecimal(number *inf.Dec, digits inf.Scale) *inf.Dec {
	if number.Scale() <= digits {
		return number
	}
	return new(inf.Dec).Round(number, digits, inf.RoundHalfUp)
}

// trimZeros removes zeros at the end of the digits after the point.
func trimZeros(number *inf.Dec) *inf.Dec {
	unscaled, scale := new(big.Int).Set(number.UnscaledBig()), number.Scale()
	ten, rest := big.NewInt(10), new(big.Int)
	for scale > 0 {
		quotient := new(big.Int)
		quotient.QuoRem(unscaled, ten, rest)
		if rest.Sign() != 0 {
			break
		}
		unscaled, scale = quotient, scale-1
	}
	return inf.NewDecBig(unscaled, scale)
}

func compareDecimals(one, other *inf.Dec) int {
	return one.Cmp(other)
}

func compareVarints(one, other *big.Int) int {
	return one.Cmp(other)
}

// decimalToInteger rounds a decimal to a whole number, halves away from zero.
func decimalToInteger(number *inf.Dec) int64 {
	return integerOf(new(inf.Dec).Round(number, 0, inf.RoundHalfUp).UnscaledBig())
}

func decimalToFloat(number *inf.Dec) float64 {
	result, err := strconv.ParseFloat(number.String(), 64)
	if err != nil {
		panic(valueProblem("a number is out of range"))
	}
	return result
}

func floatToDecimal(number float64) *inf.Dec {
	result, ok := new(inf.Dec).SetString(strconv.FormatFloat(number, 'f', -1, 64))
	if !ok {
		panic(valueProblem("a number is out of range"))
	}
	return result
}

func floatToInteger(number float64) int64 {
	number = math.Round(number)
	if !(number >= -9.2e18 && number <= 9.2e18) {
		panic(valueProblem("a number is out of range"))
	}
	return int64(number)
}

// compareFloats is the order of numbers: NaN is the greatest.
func compareFloats[T float32 | float64](one, other T) int {
	switch {
	case one < other:
		return -1
	case one > other:
		return 1
	case one == other:
		return 0
	}
	return compareBooleans(one != one, other != other)
}

func compareBooleans(one, other bool) int {
	switch {
	case one == other:
		return 0
	case other:
		return -1
	}
	return 1
}

func compareTimestamps(one, other time.Time) int {
	return cmp.Compare(one.UnixMilli(), other.UnixMilli())
}

func compareDates(one, other time.Time) int {
	return cmp.Compare(dayOf(one), dayOf(other))
}

func compareInets(one, other net.IP) int {
	return bytes.Compare(inetBytes(one), inetBytes(other))
}

func compareDurations(one, other gocql.Duration) int {
	return cmp.Or(cmp.Compare(one.Months, other.Months), cmp.Compare(one.Days, other.Days), cmp.Compare(one.Nanoseconds, other.Nanoseconds))
}

// compareSlices is the order of arrays.
func compareSlices[T any](compare func(one, other T) int) func(one, other []T) int {
	return func(one, other []T) int { return slices.CompareFunc(one, other, compare) }
}

// compareAny tells whether values are equal (0); others have no order.
func compareAny[T any](one, other T) int {
	if reflect.DeepEqual(one, other) {
		return 0
	}
	return 1
}

// compareUUIDs is Cassandra's order of uuid: by version, then by time or by bytes.
func compareUUIDs(one, other gocql.UUID) int {
	if order := cmp.Compare(one.Version(), other.Version()); order != 0 {
		return order
	}
	if one.Version() == 1 {
		if order := cmp.Compare(uuidTicks(one), uuidTicks(other)); order != 0 {
			return order
		}
	}
	return bytes.Compare(one[:], other[:])
}

// compareTimeUUIDs is Cassandra's order of timeuuid: by time, then by signed bytes.
func compareTimeUUIDs(one, other gocql.UUID) int {
	if order := cmp.Compare(uuidTicks(one), uuidTicks(other)); order != 0 {
		return order
	}
	for at := 8; at < 16; at++ {
		if order := cmp.Compare(int8(one[at]), int8(other[at])); order != 0 {
			return order
		}
	}
	return 0
}

// uuidTicks is the time of a time-based id, in units of 100 ns since 1582.
func uuidTicks(id gocql.UUID) int64 {
	high := binary.BigEndian.Uint64(id[:8])
	return int64(high>>32 | (high&0xffff0000)<<16 | (high&0x0fff)<<48)
}

// uuidTime is the time of a time-based id.
func uuidTime(id gocql.UUID) time.Time {
	const gregorianMillis = 12_219_292_800_000
	return time.UnixMilli(floorDivide(uuidTicks(id), 10_000) - gregorianMillis).UTC()
}

// uuidOf is the id of a constant.
func uuidOf(text string) gocql.UUID {
	id, err := gocql.ParseUUID(text)
	if err != nil {
		panic(valueProblem(err.Error()))
	}
	return id
}

func newUUID() gocql.UUID {
	id, err := gocql.RandomUUID()
	if err != nil {
		panic(valueProblem(err.Error()))
	}
	return id
}

// floorDivide divides and rounds down.
func floorDivide(number, by int64) int64 {
	quotient := number / by
	if number%by != 0 && (number < 0) != (by < 0) {
		quotient--
	}
	return quotient
}

const dayMillis = 86_400_000

// dayOf is the number of days since 1970.
func dayOf(moment time.Time) int64 {
	return floorDivide(moment.UnixMilli(), dayMillis)
}

// dateOfDay is the date so many days after 1970.
func dateOfDay(day int64) time.Time {
	return time.UnixMilli(day * dayMillis).UTC()
}

// startOfDay is the date of a time.
func startOfDay(moment time.Time) time.Time {
	return dateOfDay(dayOf(moment))
}

// timeOfDay is the time since midnight.
func timeOfDay(moment time.Time) time.Duration {
	return moment.Sub(startOfDay(moment))
}

// dateMillis is a date to bind: the start of its day.
func dateMillis(date time.Time) int64 {
	return dayOf(date) * dayMillis
}

// shiftTime is a time so many months, days and milliseconds later. Where a month has no such day, it
// is its last one.
func shiftTime(moment time.Time, months, days int, millis int64) time.Time {
	if months != 0 {
		first := time.Date(moment.Year(), moment.Month()+time.Month(months), 1, 0, 0, 0, 0, time.UTC)
		last := first.AddDate(0, 1, -1).Day()
		timeInDay := timeOfDay(moment)
		moment = first.AddDate(0, 0, min(moment.Day(), last)-1).Add(timeInDay)
	}
	return moment.AddDate(0, 0, days).Add(time.Duration(millis) * time.Millisecond)
}

func hourNumber(moment time.Time, hours int64) int64 {
	return floorDivide(floorDivide(moment.UnixMilli(), 3_600_000), hours)
}

func hourStart(number, hours int64) time.Time {
	return time.UnixMilli(number * hours * 3_600_000).UTC()
}

func dayNumber(moment time.Time, days int64) int64 {
	return floorDivide(dayOf(moment), days)
}

func dayStart(number, days int64) time.Time {
	return dateOfDay(number * days)
}

// weekNumber counts from the Monday before 1970.
func weekNumber(moment time.Time, weeks int64) int64 {
	return floorDivide(floorDivide(dayOf(moment)+3, 7), weeks)
}

func weekStart(number, weeks int64) time.Time {
	return dateOfDay(number*weeks*7 - 3)
}

func monthNumber(moment time.Time, months int64) int64 {
	moment = moment.UTC()
	return floorDivide(int64(moment.Year()-1970)*12+int64(moment.Month())-1, months)
}

func monthStart(number, months int64) time.Time {
	return time.Date(1970, time.Month(1+number*months), 1, 0, 0, 0, 0, time.UTC)
}

// bucketPriority is 2^52, with which the write timestamps of bucket ends begin.
const bucketPriority = 1 << 52

// oldestWins is a write timestamp with which the row of an older bucket wins.
func oldestWins(start int64) int64 {
	return bucketPriority - start
}

// newestWins is a write timestamp with which the row of a newer range wins.
func newestWins(number int64) int64 {
	return bucketPriority + number
}

// prefixOf returns the first characters of a text.
func prefixOf(text string, length int) string {
	count := 0
	for at := range text {
		if count == length {
			return text[:at]
		}
		count++
	}
	return text
}

// prefixEnd is the least text that is greater than every text with this prefix.
func prefixEnd(prefix string) string {
	characters := []rune(prefix)
	for len(characters) > 0 {
		last := len(characters) - 1
		next := characters[last] + 1
		if next == 0xd800 {
			next = 0xe000
		}
		if next <= unicode.MaxRune {
			characters[last] = next
			return string(characters)
		}
		characters = characters[:last]
	}
	return "\U0010ffff\U0010ffff\U0010ffff\U0010ffff"
}

func concatenate(one, other string) string {
	return one + other
}

// lengthOf is the number of characters of a text.
func lengthOf(text string) int32 {
	return int32(utf8.RuneCountInString(text))
}

func trimSpaces(text string) string {
	return strings.Trim(text, " ")
}

func upperText(text string) string {
	return strings.ReplaceAll(strings.ToUpper(text), "ß", "SS")
}

// appended returns an array with an element at its end.
func appended[T any](array []T, element *T) []T {
	array = append([]T{}, array...)
	if element != nil {
		array = append(array, *element)
	}
	return array
}

// removed returns an array without an element.
func removed[T any](array []T, element *T, compare func(one, other T) int) []T {
	if array == nil || element == nil {
		return array
	}
	return slices.DeleteFunc(slices.Clone(array), func(other T) bool { return compare(other, *element) == 0 })
}

// convertAll converts the elements of an array.
func convertAll[A, B any](array []A, convert func(element A) B) []B {
	converted := make([]B, len(array))
	for at, element := range array {
		converted[at] = convert(element)
	}
	return converted
}

func int8Bytes[T integer](number T) []byte {
	return []byte{byte(number)}
}

func int16Bytes[T integer](number T) []byte {
	return binary.BigEndian.AppendUint16(nil, uint16(number))
}

func int32Bytes[T integer](number T) []byte {
	return binary.BigEndian.AppendUint32(nil, uint32(number))
}

func int64Bytes[T integer](number T) []byte {
	return binary.BigEndian.AppendUint64(nil, uint64(number))
}

func floatBytes(number float32) []byte {
	return int32Bytes(int32(math.Float32bits(number)))
}

func doubleBytes(number float64) []byte {
	return int64Bytes(int64(math.Float64bits(number)))
}

func booleanBytes(truth bool) []byte {
	if truth {
		return []byte{1}
	}
	return []byte{0}
}

func textBytes(text string) []byte {
	return []byte(text)
}

func blobBytes(blob []byte) []byte {
	return blob
}

func uuidBytes(id gocql.UUID) []byte {
	return id[:]
}

func inetBytes(address net.IP) []byte {
	if short := address.To4(); short != nil {
		return short
	}
	return address
}

func timestampBytes(moment time.Time) []byte {
	return int64Bytes(moment.UnixMilli())
}

func dateBytes(date time.Time) []byte {
	return int32Bytes(int32(dayOf(date) - 1<<31))
}

// varintBytes is the shortest two's complement of a number.
func varintBytes(number *big.Int) []byte {
	magnitude := number
	if number.Sign() < 0 {
		magnitude = new(big.Int).Not(number)
	}
	length := uint(magnitude.BitLen()/8 + 1)
	mask := new(big.Int).Lsh(big.NewInt(1), 8*length)
	mask.Sub(mask, big.NewInt(1))
	return mask.And(number, mask).FillBytes(make([]byte, length))
}

func decimalBytes(number *inf.Dec) []byte {
	return append(int32Bytes(int32(number.Scale())), varintBytes(number.UnscaledBig())...)
}

// shardOf is the shard of a key among so many: its Murmur3 token, modulo the count.
func shardOf(count int64, values ...[]byte) int32 {
	key := values[0]
	if len(values) > 1 {
		key = nil
		for _, value := range values {
			key = binary.BigEndian.AppendUint16(key, uint16(len(value)))
			key = append(append(key, value...), 0)
		}
	}
	if slices.ContainsFunc(values, func(value []byte) bool { return len(value) > math.MaxUint16 }) {
		key = slices.Concat(values...)
	}
	return int32(((murmurToken(key) % count) + count) % count)
}

// nullableShard is the shard of a key; null where a value is null.
func nullableShard(count int64, values ...*[]byte) *int32 {
	var key [][]byte
	for _, value := range values {
		if value == nil {
			return nil
		}
		key = append(key, *value)
	}
	return ptr(shardOf(count, key...))
}

// murmurToken is the token of a partition key by Cassandra's Murmur3Partitioner.
func murmurToken(key []byte) int64 {
	if len(key) == 0 {
		return math.MinInt64
	}
	const c1, c2 = 0x87c37b91114253d5, 0x4cf5ad432745937f
	mix1 := func(k uint64) uint64 { return bits.RotateLeft64(k*c1, 31) * c2 }
	mix2 := func(k uint64) uint64 { return bits.RotateLeft64(k*c2, 33) * c1 }
	finish := func(k uint64) uint64 {
		k = (k ^ k>>33) * 0xff51afd7ed558ccd
		k = (k ^ k>>33) * 0xc4ceb9fe1a85ec53
		return k ^ k>>33
	}
	var h1, h2 uint64
	tail := key
	for ; len(tail) >= 16; tail = tail[16:] {
		h1 ^= mix1(binary.LittleEndian.Uint64(tail))
		h1 = (bits.RotateLeft64(h1, 27)+h2)*5 + 0x52dce729
		h2 ^= mix2(binary.LittleEndian.Uint64(tail[8:]))
		h2 = (bits.RotateLeft64(h2, 31)+h1)*5 + 0x38495ab5
	}
	// The bytes of an incomplete block are signed.
	var k1, k2 uint64
	for at, value := range tail {
		extended := uint64(int64(int8(value)))
		if at < 8 {
			k1 ^= extended << (8 * at)
		} else {
			k2 ^= extended << (8 * (at - 8))
		}
	}
	h2 ^= mix2(k2)
	h1 ^= mix1(k1)
	h1 ^= uint64(len(key))
	h2 ^= uint64(len(key))
	h1 += h2
	h2 += h1
	token := int64(finish(h1) + finish(h2))
	if token == math.MinInt64 {
		return math.MaxInt64
	}
	return token
}

// blobColumn is the place of a blob: an empty one is not null.
type blobColumn struct {
	blob *[]byte
}

// UnmarshalCQL is called by the driver.
func (b blobColumn) UnmarshalCQL(_ gocql.TypeInfo, data []byte) error {
	*b.blob = nil
	if data != nil {
		*b.blob = append([]byte{}, data...)
	}
	return nil
}

// sumOf adds up values that are not null; null without any.
func sumOf[R, T any](rows []R, value func(row R) *T, add func(one, other T) T) *T {
	var sum *T
	for _, row := range rows {
		sum = addNullable(sum, value(row), add)
	}
	return sum
}

// addNullable adds two values; a null gives the other one.
func addNullable[T any](one, other *T, add func(one, other T) T) *T {
	if one == nil {
		return other
	}
	if other == nil {
		return one
	}
	return ptr(add(*one, *other))
}

func addFloats[T float32 | float64](one, other T) T {
	return one + other
}

func subtractFloats[T float32 | float64](one, other T) T {
	return one - other
}

func multiplyFloats[T float32 | float64](one, other T) T {
	return one * other
}

// extremeOf is the least or greatest value of rows; null without any.
func extremeOf[R, T any](rows []R, value func(row R) *T, compare func(one, other T) int, wins func(order int) bool) *T {
	var best *T
	for _, row := range rows {
		best = extreme(compare, wins, best, value(row))
	}
	return best
}

// countOf is the number of values that are not null.
func countOf[R, T any](rows []R, value func(row R) *T) int64 {
	count := int64(0)
	for _, row := range rows {
		if value(row) != nil {
			count++
		}
	}
	return count
}

// averageOf divides a sum by a count; null where the count is 0 or null.
func averageOf(sum *float64, count *int64) *float64 {
	if sum == nil || count == nil || *count == 0 {
		return nil
	}
	return ptr(*sum / float64(*count))
}

// isZero tells whether a count is 0 or null.
func isZero[T integer](count *T) bool {
	return count == nil || *count == 0
}

// write is the state of one run of a command.
type write struct {
	call    *call
	applied []string
	undo    []func(ctx context.Context) error
	hasDone bool
	refused bool
}

// outcome is how a run of a command ended.
type outcome struct {
	result Outcome
	err    error
}

// stale is the outcome of a run whose row was changed by others after it was read.
const stale Outcome = "stale"

// describe names a statement in errors.
func (s *statement) describe() string {
	return s.table + ": " + s.cql
}

// remember notes a statement that was applied, and what undoes it; nil: nothing does.
func (w *write) remember(s *statement, undo func(ctx context.Context) error) {
	w.hasDone = true
	w.applied = append(w.applied, s.describe())
	w.undo = append(w.undo, undo)
}

// failed is the end of a run by a failure.
func (w *write) failed(s *statement, err error) outcome {
	if w.hasDone {
		err = &PartialWrite{Query: w.call.name, Applied: w.applied, Failed: s.describe(), Err: err}
	}
	return outcome{err: err}
}

// refuse is the end of a run by a statement that was not applied: what was done is undone, the last
// statement first.
func (w *write) refuse(ctx context.Context, end outcome, failed string) outcome {
	var left []string
	for at := len(w.undo) - 1; at >= 0; at-- {
		if w.undo[at] == nil {
			left = append(left, w.applied[at])
			continue
		}
		if err := w.undo[at](ctx); err != nil {
			return outcome{err: &PartialWrite{Query: w.call.name, Applied: w.applied[:at+1], Failed: failed, Err: err}}
		}
	}
	if len(left) > 0 {
		slices.Reverse(left)
		return outcome{result: Interrupted, err: &PartialWrite{Query: w.call.name, Applied: left, Failed: failed}}
	}
	return end
}

// violation is the end of a run by a constraint.
func (c *call) violation(constraint string) outcome {
	return outcome{result: Violated, err: &ConstraintViolation{Query: c.name, Constraint: constraint}}
}

// finish is the end of a run after all of its steps.
func (w *write) finish() outcome {
	if w.refused && !w.hasDone {
		return outcome{result: Refused}
	}
	return outcome{result: Applied}
}

// include notes the end of a command that this one ran; true: it ends this one too.
func (w *write) include(ctx context.Context, name string, end outcome, violationEnds bool) (outcome, bool) {
	switch {
	case end.err != nil && end.result != Violated || end.result == Interrupted:
		if w.hasDone && end.result == "" {
			end.err = &PartialWrite{Query: w.call.name, Applied: w.applied, Failed: name, Err: end.err}
		}
		return end, true
	case end.result == Applied:
		w.hasDone = true
		w.applied = append(w.applied, name)
		w.undo = append(w.undo, nil)
	case end.result == Violated && violationEnds:
		return w.refuse(ctx, end, name), true
	default:
		w.refused = true
	}
	return outcome{}, false
}

// conclude returns to the caller of a write how it ended.
func (c *call) conclude(end outcome) (bool, error) {
	c.outcome = end.result
	return end.result == Applied, end.err
}

// retry runs a command again while its row is changed by others.
func (c *call) retry(run func() outcome) outcome {
	for attempt := 1; ; attempt++ {
		end := run()
		if end.result != stale {
			return end
		}
		if attempt >= c.access.options.Attempts {
			return outcome{result: Refused}
		}
	}
}

// runningCommands are the derived commands that are running, with their values.
type runningCommands map[string]bool

// run runs a derived command, unless it is running with the same values.
func (r runningCommands) run(key string, run func() outcome) outcome {
	if r[key] {
		return outcome{result: Applied}
	}
	r[key] = true
	defer delete(r, key)
	return run()
}

// boundStatement is a statement of a batch with its values.
type boundStatement struct {
	statement *statement
	values    []any
}

// sendBatch sends statements in batches; a single one is sent as a statement.
func (w *write) sendBatch(ctx context.Context, kind gocql.BatchType, statements []boundStatement) (outcome, bool) {
	for len(statements) > 0 {
		count, size := 0, 0
		for count < min(len(statements), w.call.access.options.BatchStatements) {
			size += estimateSize(statements[count].values)
			if count > 0 && size > w.call.access.options.BatchBytes {
				break
			}
			count++
		}
		part := statements[:count]
		statements = statements[count:]
		if err := w.call.executeBatch(ctx, kind, part); err != nil {
			return w.failed(part[0].statement, err), true
		}
		for _, one := range part {
			w.remember(one.statement, nil)
		}
	}
	return outcome{}, false
}

func (c *call) executeBatch(ctx context.Context, kind gocql.BatchType, part []boundStatement) error {
	first := part[0].statement
	if len(part) == 1 {
		return c.execute(ctx, first, part[0].values...)
	}
	ctx, finish := c.start(ctx, first)
	batch := c.access.session.Batch(kind).Consistency(first.consistency)
	for _, one := range part {
		batch.Entries = append(batch.Entries, gocql.BatchEntry{Stmt: one.statement.cql, Args: one.values, Idempotent: one.statement.idempotent})
	}
	return finish(batch.ExecContext(ctx))
}

// estimateSize is about how many bytes values take.
func estimateSize(values []any) int {
	size := 64
	for _, value := range values {
		size += 8 + valueSize(reflect.ValueOf(value))
	}
	return size
}

func valueSize(value reflect.Value) int {
	switch value.Kind() {
	case reflect.Invalid:
		return 0
	case reflect.String:
		return value.Len()
	case reflect.Pointer, reflect.Interface:
		return valueSize(value.Elem())
	case reflect.Slice, reflect.Array:
		if value.Type().Elem().Kind() == reflect.Uint8 {
			return value.Len()
		}
		size := 4
		for at := range value.Len() {
			size += 4 + valueSize(value.Index(at))
		}
		return size
	case reflect.Map:
		size := 4
		for entries := value.MapRange(); entries.Next(); {
			size += 8 + valueSize(entries.Key()) + valueSize(entries.Value())
		}
		return size
	case reflect.Struct:
		size := 0
		for at := range value.NumField() {
			size += 4 + valueSize(value.Field(at))
		}
		return size
	}
	return 8
}
