"""Which names and descriptions are taken for tools that only read."""

import pytest

from engine.read_only import looks_read_only


@pytest.mark.parametrize(
    ("name", "description"),
    [
        ("get_weather", "Retrieve the current weather in a city"),
        ("getWeather", ""),
        ("calculate_triangle_area", "Calculate the area of a triangle"),
        ("math.sum", ""),
        ("HTTPStatus", ""),
        ("restaurant.search", "Locates restaurants"),
        ("find_books", "Searches for books"),
        ("fetch_all", "Fetch records from a table"),
        # A changing word late in the description is about something else.
        ("get_price", "Retrieve what it takes to buy a car"),
    ],
)
def test_names_that_read_are_taken_for_read_only(name, description):
    assert looks_read_only(name, description)


@pytest.mark.parametrize(
    ("name", "description"),
    [
        ("send_message", ""),
        ("book_hotel", ""),
        ("get_and_delete", ""),
        ("setAlarm", ""),
        ("find_and_book_flight", "Find a flight and book it"),
        ("get_ticket", "Book a ticket"),
        ("GetRide", "Books a cab to the specified destination"),
        ("get_page", "Publishes the page"),
        ("get_list", "Modifies a list"),
        ("get_flight", "Reserve and get a flight"),
        ("frobnicate", "Get the weather"),
        ("getaway", ""),
        ("", ""),
    ],
)
def test_other_names_are_not(name, description):
    assert not looks_read_only(name, description)
