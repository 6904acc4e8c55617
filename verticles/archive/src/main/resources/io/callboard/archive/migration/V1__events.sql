-- Events of feeds, in the order of their commits. The feed "archive" has all events of archived actors.
create table callboard_event (
  feed varchar(200) not null,
  feed_position bigint not null,
  actor varchar(200) not null,
  turn bigint not null,
  event_number bigint not null,
  committed_at timestamp(3) with time zone not null,
  event_type varchar(300) not null,
  type_version int not null,
  body varchar not null,
  primary key (feed, feed_position)
);

create index callboard_event_of_actor on callboard_event (feed, actor, feed_position);

-- How far each projection is.
create table callboard_projection (
  name varchar(200) not null primary key,
  feed varchar(200) not null,
  feed_position bigint not null
);

-- Which database this is: feeds go on in no other.
create table callboard_archive (
  number int not null primary key,
  id varchar(100) not null
);

-- For auditors: what happened to archived actors. Where an actor deleted itself, its event_number is 0.
create view callboard_history as
  select feed_position, actor, event_number, committed_at, event_type, type_version, body, turn
  from callboard_event
  where feed = 'archive';
