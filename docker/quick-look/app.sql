create table profiles (id text primary key, body text not null);
create table settings (id text primary key, body text not null);
insert into profiles values ('1', 'ann');
insert into settings values ('1', 'dark');
