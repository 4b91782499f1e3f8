--
-- PostgreSQL database dump
--

\restrict 3fGhT0bq9mXrWc1uVzKjPnLs8dYeQa7oIiE5tR2wS6xA4vC0bN1mU9kHyJfZgDp

-- Dumped from database version 16.10 (Debian 16.10-1.pgdg120+1)
-- Dumped by pg_dump version 16.10 (Debian 16.10-1.pgdg120+1)

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

\connect shop

--
-- Name: audit; Type: SCHEMA; Schema: -; Owner: shop
--

CREATE SCHEMA audit;


ALTER SCHEMA audit OWNER TO shop;

--
-- Name: citext; Type: EXTENSION; Schema: -; Owner: -
--

CREATE EXTENSION IF NOT EXISTS citext WITH SCHEMA public;


--
-- Name: EXTENSION citext; Type: COMMENT; Schema: -; Owner: 
--

COMMENT ON EXTENSION citext IS 'data type for case-insensitive character strings; it''s for e-mail';


--
-- Name: address; Type: TYPE; Schema: public; Owner: shop
--

CREATE TYPE public.address AS (
	street text,
	city character varying(80),
	zip character(5)
);


ALTER TYPE public.address OWNER TO shop;

--
-- Name: order_state; Type: TYPE; Schema: public; Owner: shop
--

CREATE TYPE public.order_state AS ENUM (
    'open',
    'paid',
    'shipped'
);


ALTER TYPE public.order_state OWNER TO shop;

--
-- Name: positive; Type: DOMAIN; Schema: public; Owner: shop
--

CREATE DOMAIN public.positive AS integer NOT NULL DEFAULT 1
	CONSTRAINT positive_check CHECK ((VALUE > 0));


ALTER DOMAIN public.positive OWNER TO shop;

--
-- Name: touch(); Type: FUNCTION; Schema: public; Owner: shop
--

CREATE FUNCTION public.touch() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  NEW.updated_at := now(); -- @updated here; it's now
  RETURN NEW;
END;
$$;


ALTER FUNCTION public.touch() OWNER TO shop;

--
-- Name: total(bigint); Type: FUNCTION; Schema: public; Owner: shop
--

CREATE FUNCTION public.total(order_id bigint) RETURNS numeric
    LANGUAGE sql
    BEGIN ATOMIC
 SELECT sum((l.price * (l.quantity)::numeric)) AS sum
    FROM public.order_lines l
   WHERE (l.order_id = total.order_id);
END;


SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: customers; Type: TABLE; Schema: public; Owner: shop
--

CREATE TABLE public.customers (
    id bigint NOT NULL,
    email public.citext NOT NULL,
    full_name character varying(200),
    birthday date,
    home public.address,
    interests text[] DEFAULT '{}'::text[] NOT NULL,
    settings jsonb DEFAULT '{}'::jsonb NOT NULL,
    balance numeric(12,2) DEFAULT 0.00 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    "Legacy Id" integer,
    search tsvector GENERATED ALWAYS AS (to_tsvector('english'::regconfig, (COALESCE(full_name, ''::character varying))::text)) STORED,
    CONSTRAINT customers_balance_check CHECK ((balance >= '-100'::integer::numeric)),
    CONSTRAINT customers_email_check CHECK (((email)::text ~* '^[^@]+@[^@]+$'::text))
);


ALTER TABLE public.customers OWNER TO shop;

--
-- Name: COLUMN customers.birthday; Type: COMMENT; Schema: public; Owner: shop
--

COMMENT ON COLUMN public.customers.birthday IS 'may be unknown';


--
-- Name: customers_id_seq; Type: SEQUENCE; Schema: public; Owner: shop
--

CREATE SEQUENCE public.customers_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


ALTER SEQUENCE public.customers_id_seq OWNER TO shop;

--
-- Name: customers_id_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: shop
--

ALTER SEQUENCE public.customers_id_seq OWNED BY public.customers.id;


--
-- Name: employees; Type: TABLE; Schema: public; Owner: shop
--

CREATE TABLE public.employees (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    manager_id uuid,
    name text NOT NULL
);


ALTER TABLE public.employees OWNER TO shop;

--
-- Name: events; Type: TABLE; Schema: audit; Owner: shop
--

CREATE TABLE audit.events (
    id uuid NOT NULL,
    at timestamp without time zone NOT NULL,
    employee_id uuid,
    payload jsonb
)
PARTITION BY RANGE (at);


ALTER TABLE audit.events OWNER TO shop;

--
-- Name: events_2024; Type: TABLE; Schema: audit; Owner: shop
--

CREATE TABLE audit.events_2024 (
    id uuid NOT NULL,
    at timestamp without time zone NOT NULL,
    employee_id uuid,
    payload jsonb
);


ALTER TABLE audit.events_2024 OWNER TO shop;

--
-- Name: order_lines; Type: TABLE; Schema: public; Owner: shop
--

CREATE TABLE public.order_lines (
    order_id bigint NOT NULL,
    line smallint NOT NULL,
    price numeric(12,2) NOT NULL,
    quantity public.positive,
    CONSTRAINT order_lines_price_check CHECK ((price > (0)::numeric))
);


ALTER TABLE public.order_lines OWNER TO shop;

--
-- Name: orders; Type: TABLE; Schema: public; Owner: shop
--

CREATE TABLE public.orders (
    id bigint NOT NULL,
    customer_id bigint NOT NULL,
    sold_by uuid,
    packed_by uuid,
    state public.order_state DEFAULT 'open'::public.order_state NOT NULL,
    ordered_at timestamp(3) without time zone NOT NULL
);


ALTER TABLE public.orders OWNER TO shop;

--
-- Name: orders_id_seq; Type: SEQUENCE; Schema: public; Owner: shop
--

ALTER TABLE public.orders ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.orders_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: open_orders; Type: VIEW; Schema: public; Owner: shop
--

CREATE VIEW public.open_orders AS
 SELECT id,
    customer_id
   FROM public.orders
  WHERE (state = 'open'::public.order_state);


ALTER VIEW public.open_orders OWNER TO shop;

--
-- Name: events_2024; Type: TABLE ATTACH; Schema: audit; Owner: shop
--

ALTER TABLE ONLY audit.events ATTACH PARTITION audit.events_2024 FOR VALUES FROM ('2024-01-01 00:00:00') TO ('2025-01-01 00:00:00');


--
-- Name: customers id; Type: DEFAULT; Schema: public; Owner: shop
--

ALTER TABLE ONLY public.customers ALTER COLUMN id SET DEFAULT nextval('public.customers_id_seq'::regclass);


--
-- Name: events events_pkey; Type: CONSTRAINT; Schema: audit; Owner: shop
--

ALTER TABLE ONLY audit.events
    ADD CONSTRAINT events_pkey PRIMARY KEY (id, at);


--
-- Name: events_2024 events_2024_pkey; Type: CONSTRAINT; Schema: audit; Owner: shop
--

ALTER TABLE ONLY audit.events_2024
    ADD CONSTRAINT events_2024_pkey PRIMARY KEY (id, at);


--
-- Name: customers customers_pkey; Type: CONSTRAINT; Schema: public; Owner: shop
--

ALTER TABLE ONLY public.customers
    ADD CONSTRAINT customers_pkey PRIMARY KEY (id);


--
-- Name: employees employees_pkey; Type: CONSTRAINT; Schema: public; Owner: shop
--

ALTER TABLE ONLY public.employees
    ADD CONSTRAINT employees_pkey PRIMARY KEY (id);


--
-- Name: order_lines order_lines_pkey; Type: CONSTRAINT; Schema: public; Owner: shop
--

ALTER TABLE ONLY public.order_lines
    ADD CONSTRAINT order_lines_pkey PRIMARY KEY (order_id, line);


--
-- Name: orders orders_pkey; Type: CONSTRAINT; Schema: public; Owner: shop
--

ALTER TABLE ONLY public.orders
    ADD CONSTRAINT orders_pkey PRIMARY KEY (id);


--
-- Name: customers_email_key; Type: INDEX; Schema: public; Owner: shop
--

CREATE UNIQUE INDEX customers_email_key ON public.customers USING btree (email);


--
-- Name: customers_name_key; Type: INDEX; Schema: public; Owner: shop
--

CREATE UNIQUE INDEX customers_name_key ON public.customers USING btree (lower((full_name)::text)) WHERE (birthday IS NOT NULL);


--
-- Name: orders_customer_idx; Type: INDEX; Schema: public; Owner: shop
--

CREATE INDEX orders_customer_idx ON public.orders USING btree (customer_id, ordered_at DESC);


--
-- Name: events_2024_pkey; Type: INDEX ATTACH; Schema: audit; Owner: shop
--

ALTER INDEX audit.events_pkey ATTACH PARTITION audit.events_2024_pkey;


--
-- Name: customers touch_customers; Type: TRIGGER; Schema: public; Owner: shop
--

CREATE TRIGGER touch_customers BEFORE UPDATE ON public.customers FOR EACH ROW EXECUTE FUNCTION public.touch();


--
-- Name: employees employees_manager_fkey; Type: FK CONSTRAINT; Schema: public; Owner: shop
--

ALTER TABLE ONLY public.employees
    ADD CONSTRAINT employees_manager_fkey FOREIGN KEY (manager_id) REFERENCES public.employees(id) ON DELETE SET NULL;


--
-- Name: events events_employee_fkey; Type: FK CONSTRAINT; Schema: audit; Owner: shop
--

ALTER TABLE audit.events
    ADD CONSTRAINT events_employee_fkey FOREIGN KEY (employee_id) REFERENCES public.employees(id);


--
-- Name: order_lines order_lines_order_fkey; Type: FK CONSTRAINT; Schema: public; Owner: shop
--

ALTER TABLE ONLY public.order_lines
    ADD CONSTRAINT order_lines_order_fkey FOREIGN KEY (order_id) REFERENCES public.orders(id) ON UPDATE CASCADE ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED;


--
-- Name: orders orders_customer_fkey; Type: FK CONSTRAINT; Schema: public; Owner: shop
--

ALTER TABLE ONLY public.orders
    ADD CONSTRAINT orders_customer_fkey FOREIGN KEY (customer_id) REFERENCES public.customers(id) NOT VALID;


--
-- Name: orders orders_packed_by_fkey; Type: FK CONSTRAINT; Schema: public; Owner: shop
--

ALTER TABLE ONLY public.orders
    ADD CONSTRAINT orders_packed_by_fkey FOREIGN KEY (packed_by) REFERENCES public.employees(id);


--
-- Name: orders orders_sold_by_fkey; Type: FK CONSTRAINT; Schema: public; Owner: shop
--

ALTER TABLE ONLY public.orders
    ADD CONSTRAINT orders_sold_by_fkey FOREIGN KEY (sold_by) REFERENCES public.employees(id);


--
-- Name: orders; Type: ROW SECURITY; Schema: public; Owner: shop
--

ALTER TABLE public.orders ENABLE ROW LEVEL SECURITY;

--
-- Name: orders own_orders; Type: POLICY; Schema: public; Owner: shop
--

CREATE POLICY own_orders ON public.orders USING ((customer_id = (current_setting('shop.customer'::text))::bigint));


--
-- Name: TABLE orders; Type: ACL; Schema: public; Owner: shop
--

GRANT SELECT,INSERT ON TABLE public.orders TO clerk;


--
-- PostgreSQL database dump complete
--

\unrestrict 3fGhT0bq9mXrWc1uVzKjPnLs8dYeQa7oIiE5tR2wS6xA4vC0bN1mU9kHyJfZgDp

