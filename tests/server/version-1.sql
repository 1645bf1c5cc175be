create table tables (
    id text primary key,
    game text not null,
    players integer not null,
    options text not null,
    secret text not null,
    minutes real,
    increment real,
    created real not null,
    over integer not null default 0,
    rematch text references tables (id)
);
create table seats (
    table_id text not null references tables (id),
    seat integer not null,
    kind text not null check (kind in ('human', 'bot', 'invite', 'open')),
    name text not null,
    key_hash text,
    bot text,
    primary key (table_id, seat)
) without rowid;
create index seats_by_key on seats (key_hash);
create table events (
    table_id text not null references tables (id),
    number integer not null,
    line text not null,
    at real not null,
    primary key (table_id, number)
) without rowid;
insert into tables (id, game, players, options, secret, created)
    values ('00112233445566778899', 'azul', 2, '{"wall": "coloured"}', '5ec2e7', 1.0);
insert into seats values ('00112233445566778899', 0, 'human', 'Ada', 'a hash', null);
insert into seats values ('00112233445566778899', 1, 'bot', 'Bot', null, 'random');
insert into events values ('00112233445566778899', 1, 'draw r', 1.5);
insert into events values ('00112233445566778899', 2, '1 f1 red 1', 2.5);
pragma user_version = 1;
