--
-- PostgreSQL database dump
--

\restrict zxEYDag8f0yoU8XoIHygTXqsoShD6k6uVyijZbOT3qDTlbDoKWlD7LmI4tzTjlh

-- Dumped from database version 15.18 (Debian 15.18-0+deb12u1)
-- Dumped by pg_dump version 15.18 (Debian 15.18-0+deb12u1)

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

--
-- Name: grams; Type: DOMAIN; Schema: public; Owner: -
--

CREATE DOMAIN public.grams AS integer
	CONSTRAINT grams_check CHECK ((VALUE > 0));


--
-- Name: service; Type: TYPE; Schema: public; Owner: -
--

CREATE TYPE public.service AS ENUM (
    'express',
    'standard'
);


--
-- Name: touch(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.touch() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  NEW.updated_at := now();
  RETURN NEW;
END;
$$;


SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: complaints; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.complaints (
    id bigint NOT NULL,
    parcel_id uuid NOT NULL,
    customer_id bigint NOT NULL,
    text text NOT NULL,
    opened_at timestamp with time zone DEFAULT now() NOT NULL,
    closed_at timestamp with time zone,
    CONSTRAINT closed_later CHECK ((closed_at > opened_at))
);


--
-- Name: complaints_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.complaints_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: complaints_id_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.complaints_id_seq OWNED BY public.complaints.id;


--
-- Name: customers; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.customers (
    id bigint NOT NULL,
    email character varying(120) NOT NULL,
    name text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL
);


--
-- Name: customers_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.customers_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: customers_id_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.customers_id_seq OWNED BY public.customers.id;


--
-- Name: depots; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.depots (
    id integer NOT NULL,
    code character(4) NOT NULL,
    city text NOT NULL,
    place point
);


--
-- Name: depots_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.depots_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: depots_id_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.depots_id_seq OWNED BY public.depots.id;


--
-- Name: parcels; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.parcels (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    tracking_code character varying(20) NOT NULL,
    sender_id bigint NOT NULL,
    recipient text NOT NULL,
    destination_id integer,
    service public.service DEFAULT 'standard'::public.service NOT NULL,
    weight public.grams NOT NULL,
    labels text[],
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL
);


--
-- Name: scans; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.scans (
    parcel_id uuid NOT NULL,
    scanned_at timestamp(3) with time zone NOT NULL,
    depot_id integer NOT NULL,
    status text NOT NULL,
    note text
)
PARTITION BY RANGE (scanned_at);


--
-- Name: TABLE scans; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.scans IS 'Each time a parcel passes a scanner.';


--
-- Name: parcels_on_the_way; Type: VIEW; Schema: public; Owner: -
--

CREATE VIEW public.parcels_on_the_way AS
 SELECT p.id,
    p.tracking_code
   FROM public.parcels p
  WHERE (NOT (EXISTS ( SELECT 1
           FROM public.scans s
          WHERE ((s.parcel_id = p.id) AND (s.status = 'delivered'::text)))));


--
-- Name: scans_2025; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.scans_2025 (
    parcel_id uuid NOT NULL,
    scanned_at timestamp(3) with time zone NOT NULL,
    depot_id integer NOT NULL,
    status text NOT NULL,
    note text
);


--
-- Name: scans_2026; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.scans_2026 (
    parcel_id uuid NOT NULL,
    scanned_at timestamp(3) with time zone NOT NULL,
    depot_id integer NOT NULL,
    status text NOT NULL,
    note text
);


--
-- Name: scans_2025; Type: TABLE ATTACH; Schema: public; Owner: -
--

ALTER TABLE ONLY public.scans ATTACH PARTITION public.scans_2025 FOR VALUES FROM ('2025-01-01 00:00:00+00') TO ('2026-01-01 00:00:00+00');


--
-- Name: scans_2026; Type: TABLE ATTACH; Schema: public; Owner: -
--

ALTER TABLE ONLY public.scans ATTACH PARTITION public.scans_2026 FOR VALUES FROM ('2026-01-01 00:00:00+00') TO ('2027-01-01 00:00:00+00');


--
-- Name: complaints id; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.complaints ALTER COLUMN id SET DEFAULT nextval('public.complaints_id_seq'::regclass);


--
-- Name: customers id; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.customers ALTER COLUMN id SET DEFAULT nextval('public.customers_id_seq'::regclass);


--
-- Name: depots id; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.depots ALTER COLUMN id SET DEFAULT nextval('public.depots_id_seq'::regclass);


--
-- Name: complaints complaints_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.complaints
    ADD CONSTRAINT complaints_pkey PRIMARY KEY (id);


--
-- Name: customers customers_email_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.customers
    ADD CONSTRAINT customers_email_key UNIQUE (email);


--
-- Name: customers customers_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.customers
    ADD CONSTRAINT customers_pkey PRIMARY KEY (id);


--
-- Name: depots depots_code_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.depots
    ADD CONSTRAINT depots_code_key UNIQUE (code);


--
-- Name: depots depots_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.depots
    ADD CONSTRAINT depots_pkey PRIMARY KEY (id);


--
-- Name: parcels parcels_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.parcels
    ADD CONSTRAINT parcels_pkey PRIMARY KEY (id);


--
-- Name: parcels parcels_tracking_code_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.parcels
    ADD CONSTRAINT parcels_tracking_code_key UNIQUE (tracking_code);


--
-- Name: scans scans_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.scans
    ADD CONSTRAINT scans_pkey PRIMARY KEY (parcel_id, scanned_at);


--
-- Name: scans_2025 scans_2025_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.scans_2025
    ADD CONSTRAINT scans_2025_pkey PRIMARY KEY (parcel_id, scanned_at);


--
-- Name: scans_2026 scans_2026_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.scans_2026
    ADD CONSTRAINT scans_2026_pkey PRIMARY KEY (parcel_id, scanned_at);


--
-- Name: open_complaints; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX open_complaints ON public.complaints USING btree (opened_at) WHERE (closed_at IS NULL);


--
-- Name: parcels_by_sender; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX parcels_by_sender ON public.parcels USING btree (sender_id, created_at DESC);


--
-- Name: scans_by_depot; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX scans_by_depot ON ONLY public.scans USING btree (depot_id, scanned_at DESC);


--
-- Name: scans_2025_depot_id_scanned_at_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX scans_2025_depot_id_scanned_at_idx ON public.scans_2025 USING btree (depot_id, scanned_at DESC);


--
-- Name: scans_2026_depot_id_scanned_at_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX scans_2026_depot_id_scanned_at_idx ON public.scans_2026 USING btree (depot_id, scanned_at DESC);


--
-- Name: scans_2025_depot_id_scanned_at_idx; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.scans_by_depot ATTACH PARTITION public.scans_2025_depot_id_scanned_at_idx;


--
-- Name: scans_2025_pkey; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.scans_pkey ATTACH PARTITION public.scans_2025_pkey;


--
-- Name: scans_2026_depot_id_scanned_at_idx; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.scans_by_depot ATTACH PARTITION public.scans_2026_depot_id_scanned_at_idx;


--
-- Name: scans_2026_pkey; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.scans_pkey ATTACH PARTITION public.scans_2026_pkey;


--
-- Name: customers touch_customers; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER touch_customers BEFORE UPDATE ON public.customers FOR EACH ROW EXECUTE FUNCTION public.touch();


--
-- Name: parcels touch_parcels; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER touch_parcels BEFORE UPDATE ON public.parcels FOR EACH ROW EXECUTE FUNCTION public.touch();


--
-- Name: complaints complaints_customer_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.complaints
    ADD CONSTRAINT complaints_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES public.customers(id);


--
-- Name: complaints complaints_parcel_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.complaints
    ADD CONSTRAINT complaints_parcel_id_fkey FOREIGN KEY (parcel_id) REFERENCES public.parcels(id);


--
-- Name: parcels parcels_destination_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.parcels
    ADD CONSTRAINT parcels_destination_id_fkey FOREIGN KEY (destination_id) REFERENCES public.depots(id);


--
-- Name: parcels parcels_sender_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.parcels
    ADD CONSTRAINT parcels_sender_id_fkey FOREIGN KEY (sender_id) REFERENCES public.customers(id) ON DELETE CASCADE;


--
-- Name: scans scans_depot_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE public.scans
    ADD CONSTRAINT scans_depot_id_fkey FOREIGN KEY (depot_id) REFERENCES public.depots(id);


--
-- Name: scans scans_parcel_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE public.scans
    ADD CONSTRAINT scans_parcel_id_fkey FOREIGN KEY (parcel_id) REFERENCES public.parcels(id) ON DELETE CASCADE;


--
-- PostgreSQL database dump complete
--

\unrestrict zxEYDag8f0yoU8XoIHygTXqsoShD6k6uVyijZbOT3qDTlbDoKWlD7LmI4tzTjlh

