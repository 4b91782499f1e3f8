COPY public.a (id) FROM stdin;
1
\.
