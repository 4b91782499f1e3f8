func main() {
	input := bufio.NewReaderSize(os.Stdin, 1<<20)
	output := bufio.NewWriter(os.Stdout)
	server := &proofServer{}
	for {
		line, err := input.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			text, problem := json.Marshal(server.answer(line))
			if problem != nil {
				text, _ = json.Marshal(failure("driver", problem.Error(), "", ""))
			}
			_, _ = output.Write(append(text, '\n'))
			_ = output.Flush()
		}
		if err != nil {
			return
		}
	}
}

// proofServer answers the requests of a proof.
type proofServer struct {
	access  *access.Access
	now     time.Time
	outcome access.Outcome
}

type request struct {
	Connect *connection `json:"connect"`
	ID      any         `json:"id"`
	Call    string      `json:"call"`
	Now     int64       `json:"now"`
	Args    []*string   `json:"args"`
	Page    *page       `json:"page"`
}

// page is what a call of a read asks for.
type page struct {
	Size  int     `json:"size"`
	Token *string `json:"token"`
}

// position is where the page begins.
func (p *page) position() string {
	if p.Token == nil {
		return ""
	}
	return *p.Token
}

type connection struct {
	Host     string  `json:"host"`
	Port     int     `json:"port"`
	Keyspace string  `json:"keyspace"`
	User     *string `json:"user"`
	Password *string `json:"password"`
	Limits   limits  `json:"limits"`
}

type limits struct {
	Concurrency     int `json:"concurrency"`
	PageSize        int `json:"page_size"`
	BatchStatements int `json:"batch_statements"`
	BatchBytes      int `json:"batch_bytes"`
}

type reply map[string]any

func failure(kind, message, query, step string) reply {
	return reply{"error": reply{"kind": kind, "message": message, "query": query, "step": step}}
}

// StartCall remembers what becomes of a write.
func (s *proofServer) StartCall(ctx context.Context, _ string) (context.Context, func(access.CallResult)) {
	return ctx, func(result access.CallResult) { s.outcome = result.Outcome }
}

// StartStatement does nothing.
func (s *proofServer) StartStatement(ctx context.Context, _ access.StatementInfo) (context.Context, func(error)) {
	return ctx, func(error) {}
}

func (s *proofServer) answer(line []byte) (answer reply) {
	var request request
	if err := json.Unmarshal(line, &request); err != nil {
		return failure("request", err.Error(), "", "")
	}
	if request.Connect != nil {
		if err := s.connect(request.Connect); err != nil {
			return failure("driver", err.Error(), "", "")
		}
		return reply{"ready": true}
	}
	defer func() {
		if cause := recover(); cause != nil {
			problem, ok := cause.(unrepresentable)
			if !ok {
				panic(cause)
			}
			answer = failure("unrepresentable", string(problem), request.Call, "")
		}
		answer["id"] = request.ID
	}()
	s.now = time.UnixMicro(request.Now).UTC()
	s.outcome = ""
	return s.call(context.Background(), request.Call, request.Args, request.Page)
}

func (s *proofServer) connect(to *connection) error {
	cluster := gocql.NewCluster(to.Host)
	cluster.Port = to.Port
	cluster.Keyspace = to.Keyspace
	cluster.Timeout = time.Minute
	cluster.ConnectTimeout = time.Minute
	cluster.DisableInitialHostLookup = true
	cluster.NumConns = 1
	if to.User != nil && to.Password != nil {
		cluster.Authenticator = gocql.PasswordAuthenticator{Username: *to.User, Password: *to.Password}
	}
	session, err := cluster.CreateSession()
	if err != nil {
		return err
	}
	s.access = access.NewAccess(session, access.Options{
		Concurrency:     to.Limits.Concurrency,
		PageSize:        to.Limits.PageSize,
		BatchStatements: to.Limits.BatchStatements,
		BatchBytes:      to.Limits.BatchBytes,
		Observer:        s,
		Clock:           func() time.Time { return s.now },
	})
	return nil
}

// readAnswer is the answer of a read.
func readAnswer(rows [][]*string, err error) reply {
	if err != nil {
		return describeFailure(err)
	}
	return reply{"rows": rows}
}

// pageAnswer is the answer of a read of a page; no token follows the last one.
func pageAnswer(rows [][]*string, next string, err error) reply {
	answer := readAnswer(rows, err)
	if err == nil {
		answer["token"] = nil
		if next != "" {
			answer["token"] = next
		}
	}
	return answer
}

// writeAnswer is the answer of a write.
func (s *proofServer) writeAnswer(rows [][]*string, err error) reply {
	var violation *access.ConstraintViolation
	var partial *access.PartialWrite
	if errors.As(err, &violation) || errors.As(err, &partial) && partial.Err == nil {
		return reply{"outcome": s.outcome, "rows": [][]*string{}, "message": err.Error()}
	}
	if err != nil {
		return describeFailure(err)
	}
	return reply{"outcome": s.outcome, "rows": rows}
}

func describeFailure(err error) reply {
	var statement *access.StatementError
	if errors.As(err, &statement) {
		return failure("driver", err.Error(), statement.Query, statement.Table+": "+statement.CQL)
	}
	var value *access.ValueError
	if errors.As(err, &value) {
		return failure("value", err.Error(), value.Query, "")
	}
	return failure("driver", err.Error(), "", "")
}

// unrepresentable is a value that the type of a parameter cannot have.
type unrepresentable string

// cqlType is a type of CQL: a native one, or one with parts.
type cqlType struct {
	native gocql.Type
	parts  []cqlType
	size   int
}

func native(of gocql.Type) cqlType {
	return cqlType{native: of}
}

func composed(of gocql.Type, parts ...cqlType) cqlType {
	return cqlType{native: of, parts: parts}
}

func vectorOf(size int, element cqlType) cqlType {
	return cqlType{native: gocql.TypeCustom, parts: []cqlType{element}, size: size}
}

// info is the type as the driver knows it: a native one, or a vector of native ones.
func (t cqlType) info() gocql.TypeInfo {
	if t.native == gocql.TypeCustom {
		return gocql.VectorType{SubType: t.parts[0].info(), Dimensions: t.size}
	}
	return gocql.NewNativeType(4, t.native, "")
}

// argument is the value of a parameter.
func argument[T any](of cqlType, nullable bool, arguments []*string, at int) T {
	var value T
	if at >= len(arguments) || arguments[at] == nil {
		if !nullable {
			panic(unrepresentable(fmt.Sprintf("parameter %d cannot be null", at+1)))
		}
		return value
	}
	data, err := hex.DecodeString(*arguments[at])
	if err == nil {
		err = decode(of, data, reflect.ValueOf(&value).Elem())
	}
	if err != nil {
		panic(unrepresentable(err.Error()))
	}
	return value
}

func decode(of cqlType, data []byte, into reflect.Value) error {
	if len(of.parts) == 0 || of.native == gocql.TypeCustom {
		if into.Kind() == reflect.Slice && into.Type().Elem().Kind() == reflect.Uint8 && of.native == gocql.TypeBlob {
			into.SetBytes(append([]byte{}, data...))
			return nil
		}
		return gocql.Unmarshal(of.info(), data, into.Addr().Interface())
	}
	if into.Kind() == reflect.Pointer {
		into.Set(reflect.New(into.Type().Elem()))
		into = into.Elem()
	}
	if into.Kind() == reflect.Struct {
		return decodeFields(of, data, into)
	}
	count, data, err := takeLength(data)
	if err != nil {
		return err
	}
	if into.Kind() == reflect.Slice {
		into.Set(reflect.MakeSlice(into.Type(), count, count))
	} else {
		into.Set(reflect.MakeMap(into.Type()))
	}
	for at := range count {
		var parts [2]reflect.Value
		for part := range of.parts {
			var bytes []byte
			if bytes, data, err = takeBytes(data); err != nil {
				return err
			}
			if bytes == nil {
				return errors.New("an element cannot be null")
			}
			ty := into.Type().Elem()
			if into.Kind() == reflect.Map && part == 0 {
				ty = into.Type().Key()
			}
			parts[part] = reflect.New(ty).Elem()
			if err := decode(of.parts[part], bytes, parts[part]); err != nil {
				return err
			}
		}
		if into.Kind() == reflect.Slice {
			into.Index(at).Set(parts[0])
		} else {
			into.SetMapIndex(parts[0], parts[1])
		}
	}
	return nil
}

func decodeFields(of cqlType, data []byte, into reflect.Value) error {
	for at, part := range of.parts {
		if len(data) == 0 {
			return nil
		}
		bytes, rest, err := takeBytes(data)
		if err != nil {
			return err
		}
		data = rest
		if bytes == nil {
			continue
		}
		if err := decode(part, bytes, into.Field(at)); err != nil {
			return err
		}
	}
	return nil
}

func takeLength(data []byte) (int, []byte, error) {
	if len(data) < 4 {
		return 0, nil, errors.New("a value is too short")
	}
	return int(int32(binary.BigEndian.Uint32(data))), data[4:], nil
}

func takeBytes(data []byte) ([]byte, []byte, error) {
	length, data, err := takeLength(data)
	if err != nil || length > len(data) {
		return nil, nil, errors.New("a value is too short")
	}
	if length < 0 {
		return nil, data, nil
	}
	return data[:length:length], data[length:], nil
}

// encode is a value of a result.
func encode(of cqlType, value any) *string {
	data, err := encodeValue(of, reflect.ValueOf(value))
	if err != nil {
		panic(unrepresentable(err.Error()))
	}
	if data == nil {
		return nil
	}
	text := hex.EncodeToString(data)
	return &text
}

func encodeValue(of cqlType, value reflect.Value) ([]byte, error) {
	switch value.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		if value.IsNil() {
			return nil, nil
		}
	}
	if len(of.parts) == 0 || of.native == gocql.TypeCustom {
		// The driver takes the first moment of the year 1 for an empty value.
		if moment, ok := reflect.Indirect(value).Interface().(time.Time); ok {
			return gocql.Marshal(of.info(), moment.UnixMilli())
		}
		return gocql.Marshal(of.info(), value.Interface())
	}
	if value.Kind() == reflect.Pointer {
		value = value.Elem()
	}
	var elements []reflect.Value
	switch value.Kind() {
	case reflect.Struct:
		var data []byte
		for at, part := range of.parts {
			bytes, err := encodeValue(part, value.Field(at))
			if err != nil {
				return nil, err
			}
			data = appendBytes(data, bytes)
		}
		return data, nil
	case reflect.Map:
		return encodeMap(of, value)
	default:
		for at := range value.Len() {
			elements = append(elements, value.Index(at))
		}
	}
	data := binary.BigEndian.AppendUint32(nil, uint32(len(elements)))
	for _, element := range elements {
		bytes, err := encodeValue(of.parts[0], element)
		if err != nil {
			return nil, err
		}
		data = appendBytes(data, bytes)
	}
	return data, nil
}

func encodeMap(of cqlType, value reflect.Value) ([]byte, error) {
	var entries [][]byte
	for all := value.MapRange(); all.Next(); {
		key, err := encodeValue(of.parts[0], all.Key())
		if err != nil {
			return nil, err
		}
		bytes, err := encodeValue(of.parts[1], all.Value())
		if err != nil {
			return nil, err
		}
		entries = append(entries, appendBytes(appendBytes(nil, key), bytes))
	}
	slices.SortFunc(entries, func(one, other []byte) int { return bytes.Compare(one[4:], other[4:]) })
	data := binary.BigEndian.AppendUint32(nil, uint32(len(entries)))
	return append(data, bytes.Join(entries, nil)...), nil
}

func appendBytes(data, value []byte) []byte {
	if value == nil {
		return binary.BigEndian.AppendUint32(data, 0xffffffff)
	}
	return append(binary.BigEndian.AppendUint32(data, uint32(len(value))), value...)
}
