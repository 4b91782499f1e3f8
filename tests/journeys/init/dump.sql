--
-- PostgreSQL database dump
--

\restrict it's

SET client_encoding = 'UTF8';
SELECT pg_catalog.set_config('search_path', '', false);

CREATE EXTENSION IF NOT EXISTS postgis WITH SCHEMA public;
CREATE TYPE public.mood AS ENUM ('good', 'bad');
ALTER TYPE public.mood OWNER TO app;

CREATE TABLE public."Users" (
    id bigint NOT NULL,
    email character varying(80) NOT NULL,
    home public.geometry(Point,4326),
    mood public.mood DEFAULT 'good'::public.mood NOT NULL
);

CREATE SEQUENCE public."Users_id_seq" START WITH 1;
ALTER TABLE ONLY public."Users" ALTER COLUMN id SET DEFAULT nextval('public."Users_id_seq"'::regclass);

CREATE TABLE audit."Users" (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    user_id bigint NOT NULL,
    what text NOT NULL
);

CREATE VIEW public.moods AS SELECT mood FROM public."Users";

COPY public."Users" (id, email, home, mood) FROM stdin;
1	it's;	\N	good
2	b@example.org	\N	bad
\.

INSERT INTO audit."Users" VALUES ('6b4c3f0e-0c5b-4a9e-9d7e-1f8f2a9b0001', 1, 'x;y');

ALTER TABLE ONLY public."Users" ADD CONSTRAINT "Users_pkey" PRIMARY KEY (id);
ALTER TABLE ONLY audit."Users" ADD CONSTRAINT "Users_pkey" PRIMARY KEY (id);
CREATE UNIQUE INDEX users_by_email ON public."Users" USING btree (email);
CREATE INDEX users_by_mood ON public."Users" USING btree (mood);
ALTER TABLE ONLY audit."Users" ADD CONSTRAINT of_user FOREIGN KEY (user_id) REFERENCES public."Users"(id);
ALTER TABLE ONLY audit."Users" ADD CONSTRAINT of_nobody FOREIGN KEY (what) REFERENCES public.nobody(id);
