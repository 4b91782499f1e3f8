CREATE TABLE public.users (id uuid PRIMARY KEY, email text NOT NULL);
CREATE TABLE public.orders (id uuid PRIMARY KEY, user_id uuid NOT NULL REFERENCES users, total int)
